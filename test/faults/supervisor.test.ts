import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { openToEveryProcess } from "#test/support/kept-connections.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { countListeners, familyOf, hasListener, isAlive, isListening } from "#test/support/process-table.ts";
import { askOnce, type RawConnection } from "#test/support/raw-connection.ts";
import { toBytes } from "#test/support/raw-message.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const PROJECT = join(import.meta.dir, "..", "..");
const twoRedirects = { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" };

const temporary = mkdtempSync(join(tmpdir(), "kurz-supervisor-"));
const started: Bun.Subprocess[] = [];
const shouldBeGone: number[] = [];
afterAll(async () => {
  for (const supervisor of started) supervisor.kill("SIGKILL");
  await Promise.all(started.map(({ exited }) => exited));
  for (const pid of shouldBeGone) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  rmSync(temporary, { recursive: true, force: true });
});

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const livingFamily = (kurz: KurzServer): number[] => familyOf(kurz.supervisor.pid).filter((pid) => isAlive(pid));

test(
  "a second start on the same data or port is refused with one line, and the first server keeps running",
  async () => {
    const kurz = await startKurz();
    try {
      const starts = [
        { KURZ_DATA_DIR: kurz.dataDir, KURZ_PORT: String(freePort()) },
        { KURZ_DATA_DIR: join(temporary, "other"), KURZ_PORT: String(kurz.port) },
      ];
      const refusals = await Promise.all(starts.map((env) => runKurz(["serve"], env)));
      expect(refusals.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
        { code: 1, stdout: "" },
        { code: 1, stdout: "" },
      ]);
      expect(refusals.map(({ stderr }) => linesOf(stderr).length)).toEqual([1, 1]);
      expect(refusals[0]?.stderr).toContain(kurz.dataDir);
      expect(refusals[1]?.stderr).toContain(String(kurz.port));
      expect(countListeners(kurz.port)).toBe(kurz.processes("redirect").length);
      expect((await fetch(`${kurz.url}/healthz`)).status).toBe(200);
    } finally {
      await kurz.stop();
    }
  },
  TIMEOUT_MS,
);

for (const [condition, hangs] of [
  ["", false],
  [", not even one that hangs", true],
] as const) {
  test(
    `a killed supervisor leaves no process behind${condition}, and a new start works on its data at once`,
    async () => {
      const dataDir = join(temporary, `killed-${hangs}`);
      const first = await startKurzWithApi({ dataDir, env: twoRedirects });
      started.push(first.kurz.supervisor);
      const { slug } = await first.api.create();
      const family = livingFamily(first.kurz);
      shouldBeGone.push(...family);
      expect(family.length).toBe(4);
      for (const role of ["redirect", "control"] as const) {
        const [pid] = first.kurz.processes(role);
        if (hangs && pid !== undefined) process.kill(pid, "SIGSTOP");
      }
      first.kurz.supervisor.kill("SIGKILL");
      await first.kurz.supervisor.exited;

      const [second] = await Promise.all([
        startKurz({ dataDir, port: first.kurz.port, env: twoRedirects }),
        until("the old processes are gone", () => !family.some(isAlive)),
      ]);
      try {
        expect((await askOnce(second.port, { target: `/${slug}` })).status).toBe(302);
        expect(countListeners(second.port)).toBe(2);
      } finally {
        await second.stop();
      }
    },
    TIMEOUT_MS,
  );
}

test(
  "at SIGTERM requests in progress are answered, none is lost on open connections, and the exit code is 0",
  async () => {
    const { kurz, api } = await startKurzWithApi({ dataDir: join(temporary, "drained"), env: twoRedirects });
    started.push(kurz.supervisor);
    const { slug } = await api.create();
    const family = livingFamily(kurz);
    // One in each process begins a request that it ends when that process refuses new connections.
    const uploaders = await openToEveryProcess(kurz, 1);
    const kept = await openToEveryProcess(kurz, 4);
    const failures: string[] = [];
    const answers = new Map<number, number>();
    let isLeaving = false;
    // Half of them visit links and half call the API. A client stops when told that its connection will close.
    const loads = kept.map(({ connection, pid }, index) => {
      const path = index % 2 === 0 ? `/${slug}` : "/api/v1/me";
      let isTold = false;
      return startLoad(1, async () => {
        if (isTold) return;
        try {
          const answer = await connection.request({ target: path, headers: [["Authorization", api.authorization]] });
          answers.set(pid, (answers.get(pid) ?? 0) + 1);
          if (answer.status !== (index % 2 === 0 ? 302 : 200)) failures.push(`${path}: ${answer.status}`);
          isTold = answer.headers.get("connection") === "close";
        } catch (error) {
          isTold = true;
          failures.push(`${path}: ${(error as Error).message}, ${isLeaving ? "leaving" : "serving"}`);
        }
      });
    });
    const uploads = uploaders.map(({ connection, pid }) => ({ pid, connection, finish: startUpload(connection, api) }));
    answers.clear();
    await until("the load runs", () => uploads.every(({ pid }) => (answers.get(pid) ?? 0) > 100));
    expect(uploads.map(({ pid }) => isListening(pid, kurz.port))).toEqual([true, true]);

    const startedAt = performance.now();
    isLeaving = true;
    kurz.supervisor.kill("SIGTERM");
    // From then on a process awaits the rest of a body for some seconds only, whatever the others do meanwhile.
    const uploaded = uploads.map(async ({ pid, connection, finish }) => {
      await until("the process refuses new connections", () => !isListening(pid, kurz.port));
      finish();
      return (await connection.answer()).status;
    });
    expect(await Promise.all(uploaded)).toEqual([201, 201]);
    expect(await kurz.supervisor.exited).toBe(0);
    process.stderr.write(`the orderly stop took ${Math.round(performance.now() - startedAt)} ms\n`);
    await Promise.all(loads.map((load) => load.stop()));
    expect(failures).toEqual([]);
    expect(family.filter(isAlive)).toEqual([]);
  },
  TIMEOUT_MS,
);

/** Sends a request to create a link without the last bytes of its body, which the returned function sends. */
function startUpload(connection: RawConnection, api: LinkApi): () => void {
  const bytes = toBytes({
    method: "POST",
    target: "/api/v1/links",
    headers: [
      ["Authorization", api.authorization],
      ["Content-Type", "application/json"],
    ],
    body: JSON.stringify({ destination_url: "https://example.com/slow", title: "Slow" }),
  });
  connection.send(bytes.slice(0, -20));
  return () => connection.send(bytes.slice(-20));
}

test(
  "SIGTERM to npm start stops everything in order, with exit code 0",
  async () => {
    const port = freePort();
    const npm = Bun.spawn(["npm", "start"], {
      cwd: PROJECT,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        KURZ_DATA_DIR: join(temporary, "npm"),
        KURZ_PORT: String(port),
      },
      stdout: "ignore",
      stderr: "ignore",
      stdin: "ignore",
    });
    started.push(npm);
    const answers = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/docs`)).status === 200;
    await until("the server answers", () => answers().catch(() => false));
    const family = familyOf(npm.pid);
    expect(family.length).toBeGreaterThanOrEqual(4);
    npm.kill("SIGTERM");
    expect(await npm.exited).toBe(0);
    expect(family.filter(isAlive)).toEqual([]);
    expect(hasListener(port)).toBe(false);
  },
  TIMEOUT_MS,
);
