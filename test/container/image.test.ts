import { afterAll, beforeAll, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userAgents } from "#test/support/clicks.ts";
import { type Container, startContainer } from "#test/support/container.ts";
import { buildImage, type ContainerImage } from "#test/support/container-image.ts";
import { until } from "#test/support/until.ts";
import manifest from "../../package.json";

const BUILD_MS_MAX = 3_600_000;
const COMPRESSED_BYTES_MAX = 150_000_000;
const DRAIN_SECONDS = "20";
const directory = mkdtempSync(join(tmpdir(), "kurz-volumes-"));
const volumes = { "/var/lib/kurz": join(directory, "data"), "/var/backups/kurz": join(directory, "backups") };

let image: ContainerImage;
let container: Container;
let token = "";
let beganMs = 0;

const program = (...path: readonly string[]): string => join(image.root, "opt", "kurz", ...path);
/** Since the build began, as for someone who follows the docs on a new machine. */
const note = (what: string): void => {
  process.stderr.write(`${what} after ${Math.round((performance.now() - beganMs) / 1000)} s\n`);
};
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** With its own volumes, until it passes its own health check. */
async function start(env: Readonly<Record<string, string>> = {}, command?: readonly string[]): Promise<Container> {
  const started = await startContainer({ image, volumes, env, ...(command && { command }) });
  if (command) return started;
  const [kind, ...check] = image.config.Healthcheck.Test;
  expect(kind).toBe("CMD");
  await until("it is healthy", async () => (await started.exec(check)).code === 0, 60_000);
  await until("it serves", async () => (await ask("/api/v1/openapi.json", [], started)).status === 200, 60_000);
  return started;
}

async function ask(path: string, options: readonly string[] = [], asked = container) {
  const format = "\n%{http_code} %{redirect_url}";
  const url = `http://127.0.0.1:8080${path}`;
  const { out } = await asked.fromOutside(["curl", "-s", "-A", userAgents.firefox, "-w", format, ...options, url]);
  const end = out.lastIndexOf("\n");
  const [status, location = ""] = out.slice(end + 1).split(" ");
  return { status: Number(status), location, body: out.slice(0, end) };
}

const askApi = (path: string, options: readonly string[] = []) =>
  ask(`/api/v1${path}`, ["-H", `Authorization: Bearer ${token}`, ...options]);

const visit = (slug: string) => ask(`/${slug}`);

async function kurz(command: readonly string[], input = ""): Promise<string> {
  const { code, out, err } = await container.exec(["kurz", ...command], input);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return out.trim();
}

beforeAll(async () => {
  beganMs = performance.now();
  image = await buildImage();
  note("the image is built");
  const { unpacked, compressed, base } = image.bytes;
  process.stderr.write(
    `the image has ${megabytes(unpacked)}, ${megabytes(base)} of them Debian; compressed ${megabytes(compressed)}\n`,
  );
  // As an engine does with a new volume: the owner of the directory in the image.
  const [uid = 0, gid = 0] = image.config.User.split(":").map(Number);
  for (const path of Object.values(volumes)) {
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, uid, gid);
  }
  container = await start();
  note("the container is healthy");
}, BUILD_MS_MAX);

afterAll(async () => {
  await container?.kill();
  await image?.remove();
  rmSync(directory, { recursive: true, force: true });
}, 300_000);

test("the image is small, and has nothing of development in it", () => {
  expect(image.bytes.compressed).toBeLessThan(COMPRESSED_BYTES_MAX);
  expect(readdirSync(program()).toSorted()).toEqual(
    [
      "LICENSE",
      "NOTICE",
      "THIRD_PARTY_LICENSES",
      "bin",
      "container",
      "contract",
      "dist",
      "node_modules",
      "package.json",
      "shared",
      "src",
    ].toSorted(),
  );
  // A library of the server needs it, too.
  const shared = ["@simplewebauthn/browser"];
  const left = Object.keys(manifest.devDependencies).filter((name) => existsSync(program("node_modules", name)));
  expect(left.filter((name) => !shared.includes(name))).toEqual([]);
  expect(Object.keys(manifest.dependencies).filter((name) => !existsSync(program("node_modules", name)))).toEqual([]);
  const files = ["bin", "contract", "shared", "src"].flatMap((folder) =>
    readdirSync(program(folder), { recursive: true, encoding: "utf8" }),
  );
  expect(files.filter((name) => /\.test\.tsx?$|fixtures|\.env/.test(name))).toEqual([]);
});

test("the server is the first process, and no process has any rights", async () => {
  const { out } = await container.exec(["sh", "-c", "cat /proc/[0-9]*/status; tr '\\0' ' ' < /proc/1/cmdline"]);
  expect(out).toContain("/opt/kurz/src/main.ts serve");
  const [uid] = image.config.User.split(":");
  const values = (name: string) =>
    new Set([...out.matchAll(new RegExp(`^${name}:\\s+(\\w+)`, "gm"))].map(([, value]) => value));
  expect(values("Uid")).toEqual(new Set([uid]));
  for (const name of ["CapEff", "CapPrm", "CapBnd"]) expect(values(name)).toEqual(new Set(["0".repeat(16)]));
  expect(values("NoNewPrivs")).toEqual(new Set(["1"]));
});

test("it can only write to its volumes and to /tmp", async () => {
  for (const path of ["/", "/opt/kurz", "/etc", "/var/lib"]) {
    expect((await container.exec(["touch", join(path, "file")])).err).toContain("Read-only file system");
  }
  for (const path of ["/tmp", ...Object.keys(volumes)]) {
    expect((await container.exec(["touch", join(path, ".file")])).code).toBe(0);
  }
});

test("it prints the first steps with the command that the image has, which finds nothing to mend", async () => {
  expect(container.output.text).toContain("  kurz accounts create");
  expect(container.output.text).not.toContain("npm");
  expect(await kurz(["doctor"])).not.toMatch(/^(?!ok |warning {2}base URL)/m);
});

test("an account, a link, a redirect, its count, a report, a QR code, the console and the docs", async () => {
  const account = await kurz(
    ["accounts", "create", "--email", "ada@example.com", "--name", "Ada"],
    "correct horse battery\n",
  );
  token = await kurz(["tokens", "create", "--account", account, "--name", "curl", "--scopes", "all"]);
  const body = JSON.stringify({ destination_url: "https://example.com/", slug: "hello" });
  const created = await askApi("/links", ["-H", "Content-Type: application/json", "-d", body]);
  expect(created.status).toBe(201);
  const { id } = JSON.parse(created.body);
  expect(await visit("hello")).toMatchObject({ status: 302, location: "https://example.com/" });
  note("the first redirect");
  const report = `/links/${id}/analytics?timezone=Europe/Berlin`;
  await until("the report has the click", async () => JSON.parse((await askApi(report)).body).totals?.clicks === 1);
  note("its report");
  expect(JSON.parse((await askApi(`/links/${id}`)).body).click_count).toBe(1);
  expect((await askApi(`/links/${id}/qr`)).status).toBe(200);
  const page = await ask("/console");
  const [script = ""] = /\/console\/assets\/main\.\w+\.js/.exec(page.body) ?? [];
  expect([page.status, (await ask(script)).status, (await ask("/docs")).status]).toEqual([200, 200, 200]);
});

test("a backup of the running server, in the volume for backups", async () => {
  await kurz(["backup", "/var/backups/kurz/monday"]);
  expect(existsSync(join(volumes["/var/backups/kurz"], "monday"))).toBe(true);
});

test("SIGTERM ends it with 0 and without an error, and its data is there after a restart", async () => {
  expect(await container.stop()).toBe(0);
  expect(container.output.text).not.toMatch(/"level":"(?:error|warn)"/);
  container = await start({ KURZ_DRAIN_SECONDS: DRAIN_SECONDS });
  expect(await visit("hello")).toMatchObject({ status: 302 });
  expect(container.output.text).not.toContain("No account yet");
});

test("while it drains it isn't healthy but serves, and then it exits with 0", async () => {
  const ended = container.stop();
  await until("it drains", async () => (await ask("/readyz")).status === 503);
  expect(await visit("hello")).toMatchObject({ status: 302 });
  expect((await container.exec(image.config.Healthcheck.Test.slice(1))).code).toBe(1);
  expect(await ended).toBe(0);
});

test("a killed container loses nothing that was answered", async () => {
  container = await start();
  expect(await visit("hello")).toMatchObject({ status: 302 });
  await container.kill();
  container = await start();
  const clicks = async () => JSON.parse((await askApi("/links")).body).data?.[0]?.click_count;
  await until("all four clicks are counted", async () => (await clicks()) === 4);
});

test("restores a backup in place of the data, with the image's own command", async () => {
  expect(await container.stop()).toBe(0);
  const data = join(volumes["/var/lib/kurz"], "data");
  renameSync(data, `${data}-before`);
  const restoring = await start({}, ["restore", "/var/backups/kurz/monday"]);
  expect({ code: await restoring.exited, output: restoring.output.text }).toMatchObject({ code: 0 });
  container = await start();
  expect(JSON.parse((await askApi("/links")).body).data).toMatchObject([{ slug: "hello", click_count: 1 }]);
});

test("a mistake in the settings ends it at once, with a message and a code", async () => {
  const wrong = await start({ KURZ_TRUST_PROXYS: "1" }, ["serve"]);
  expect(await wrong.exited).not.toBe(0);
  expect(wrong.output.text).toContain("did you mean KURZ_TRUST_PROXY?");
});

test("the licence and the notices are in the image", () => {
  for (const name of ["LICENSE", "NOTICE"]) {
    expect(readFileSync(program(name), "utf8")).toBe(readFileSync(join(import.meta.dir, "..", "..", name), "utf8"));
  }
});
