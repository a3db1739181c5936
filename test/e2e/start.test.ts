import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "#test/support/documentation.ts";
import { freePort } from "#test/support/free-port.ts";
import { familyOf, residentBytes } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const PROJECT = join(import.meta.dir, "..", "..");
// Patience for a busy machine; the bench `start` measures it.
const START_MS_MAX = 180_000;
const IDLE_BYTES_MAX = 400 * 1024 * 1024;

const temporary = mkdtempSync(join(tmpdir(), "kurz-start-"));
const dataDir = join(temporary, "data");
const port = freePort();
const url = `http://localhost:${port}`;
const environment = {
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  KURZ_DATA_DIR: dataDir,
  KURZ_PORT: String(port),
  KURZ_METRICS_ADDR: "127.0.0.1:0",
};
const output = { stdout: "", stderr: "" };

const statusOf = (path: string): Promise<number | undefined> =>
  fetch(`${url}${path}`, { redirect: "manual" }).then(
    ({ status }) => status,
    () => undefined,
  );

async function collect(stream: ReadableStream<Uint8Array>, name: keyof typeof output): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) output[name] += decoder.decode(chunk, { stream: true });
}

const startedAt = performance.now();
const npm = Bun.spawn(["npm", "start"], {
  cwd: PROJECT,
  env: environment,
  stdin: "ignore",
  stdout: "pipe",
  stderr: "pipe",
});
void collect(npm.stdout, "stdout");
void collect(npm.stderr, "stderr");
afterAll(async () => {
  npm.kill("SIGTERM");
  await npm.exited;
  rmSync(temporary, { recursive: true, force: true });
});

test("on an empty directory npm start serves short links and the API", async () => {
  // Not 503: the records are open and have no such link.
  await until("an unknown link is looked up", async () => (await statusOf("/nothing-here")) === 404, START_MS_MAX);
  const redirectMs = performance.now() - startedAt;
  await until("the API answers", async () => (await statusOf("/api/v1/openapi.json")) === 200, START_MS_MAX);
  const apiMs = performance.now() - startedAt;
  process.stderr.write(`short links after ${Math.round(redirectMs)} ms, the API after ${Math.round(apiMs)} ms\n`);
}, 600_000);

test("the first start prints its address and what to do next", async () => {
  await until("the server says that it runs", () => output.stderr.includes("Kurz is running"));
  for (const part of [url, `${url}/docs`, dataDir, "accounts create", "tokens create"]) {
    expect(output.stderr).toContain(part);
  }
});

const here = (text: string): string => text.replaceAll("localhost:8080", `localhost:${port}`);

/** The answers that a block shows, after a number sign. */
const shownIn = (block: string): string[] => [...block.matchAll(/^# (.+)$/gm)].map((match) => match[1] ?? "");

test("the first screen of the README works as written", async () => {
  const [start = "", account = "", links = "", count = ""] = blocksOf("README.md").map(({ text }) => text);
  expect(start).toContain("npm ci && npm start");
  const script = here(`set -eu\n${account}\n${links}\necho "TOKEN=$TOKEN"`);
  const shell = Bun.spawn(["sh", "-c", script], {
    cwd: PROJECT,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`"short_url":"${url}/hello"`);
  // The answers in the README are the actual ones.
  const shown = shownIn(links);
  expect(shown.length).toBeGreaterThanOrEqual(2);
  for (const line of shown) expect(stdout.toLowerCase()).toContain(line.toLowerCase());
  // The first click counts, since it isn't sent with curl's own user agent, which would be a bot.
  const [, token = ""] = /^TOKEN=(.+)$/m.exec(stdout) ?? [];
  const [counted = ""] = shownIn(count);
  expect(counted).toContain("click_count");
  const ask = () =>
    Bun.spawnSync(["sh", "-c", here(count)], { env: { ...environment, TOKEN: token } }).stdout.toString();
  await until("the click is counted as the README shows", () => ask().includes(counted));
  const totals = async (): Promise<{ clicks: number; unique_visitors: number }> => {
    const headers = { authorization: `Bearer ${token}` };
    const report = await fetch(`${url}/api/v1/analytics?interval=24h`, { headers });
    return ((await report.json()) as { totals: Awaited<ReturnType<typeof totals>> }).totals;
  };
  await until("the click is reported", async () => (await totals()).clicks === 1);
  expect((await totals()).unique_visitors).toBe(1);
  await until("the call is logged", () => output.stdout.includes('"route":"links.create","status":201'));
  expect(await statusOf("/hello")).toBe(302);
}, 600_000);

test("idle, all processes together use less than 400 MB", async () => {
  const family = familyOf(npm.pid);
  const sizes = family.map((pid) => residentBytes(pid));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  process.stderr.write(`idle: ${inMegabytes(total)} MB resident (${sizes.map(inMegabytes).join(" + ")})\n`);
  expect(family.length).toBeGreaterThanOrEqual(4);
  expect(total).toBeLessThan(IDLE_BYTES_MAX);
});
