import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayOf, readSaltFile } from "#clicks/visitor/salt-file.ts";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { openSqlite } from "#engines/records/sqlite/connection.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { isLocked } from "#runtime/data-lock.ts";
import { freePort } from "#test/support/free-port.ts";
import { until } from "#test/support/until.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-supervisor-"));
const modulePath = (path: string): string => JSON.stringify(join(import.meta.dir, path));

// A role that notes in a diary what happens to it.
const childFile = join(root, "child.ts");
writeFileSync(
  childFile,
  `
  import { appendFileSync } from "node:fs";
  import { failStart, runChild } from ${modulePath("../supervision/child-role.ts")};
  const role = process.argv[2];
  const note = (event) => appendFileSync(process.env.DIARY, role + " " + process.pid + " " + event + "\\n");
  note("started");
  if (process.env.FAILS === role) failStart(new Error("the disk is on fire"));
  const { ready } = runChild({
    async stop() {
      note("stopping");
      if (process.env.NEVER_STOPS === role) await new Promise(() => {});
      note("stopped");
    },
  });
  process.on("message", ({ type }) => note(type));
  setInterval(() => {}, 1000);
  note("ready");
  ready();
  `,
);

const serverFile = join(root, "server.ts");
writeFileSync(
  serverFile,
  `
  import { loadConfig } from ${modulePath("../config/load-config.ts")};
  import { supervise } from ${modulePath("supervisor.ts")};
  process.on("SIGUSR2", () => Bun.sleepSync(1200));
  const command = (role) => [process.execPath, ${JSON.stringify(childFile)}, role];
  process.exit(await supervise(loadConfig(process.env), { command, hint: () => "Make an account." }));
  `,
);

const servers: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill("SIGKILL");
    await server.exited;
  }
});
afterAll(() => rmSync(root, { recursive: true }));

let servings = 0;
const newPaths = (): DataPaths => {
  servings += 1;
  return dataPaths(join(root, `data-${servings}`));
};

function startServer(env: Record<string, string> = {}, paths = newPaths()) {
  const errorsFile = join(root, `errors-${servers.length}-${servings}`);
  const diaryFile = join(root, `diary-${servings}`);
  const port = env.KURZ_PORT ?? String(freePort());
  const server = Bun.spawn([process.execPath, serverFile], {
    stdio: ["ignore", "inherit", Bun.file(errorsFile)],
    env: {
      PATH: process.env.PATH,
      DIARY: diaryFile,
      KURZ_DATA_DIR: paths.dataDir,
      KURZ_REDIRECT_PROCESSES: "2",
      KURZ_METRICS_ADDR: "off",
      ...env,
      KURZ_PORT: port,
    },
  });
  servers.push(server);
  const errors = (): string => readFileSync(errorsFile, "utf8");
  return {
    server,
    paths,
    port,
    errors,
    /** Lines of the diary as role, pid and event. */
    diary: () => (existsSync(diaryFile) ? toRows(readFileSync(diaryFile, "utf8")) : []),
    isServing: () => errors().includes("Kurz is running"),
    /** What was logged about processes that ended. */
    deaths: () => toLines(errors()).flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
  };
}
type Running = ReturnType<typeof startServer>;

const toLines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const toRows = (text: string) =>
  toLines(text).map((line) => {
    const [role, pid, event] = line.split(" ");
    return { role, pid: Number(pid), event };
  });

/** The processes of a role that have become ready, also those that have ended since. */
const readyPids = (running: Running, wanted: string): number[] =>
  running.diary().flatMap(({ role, pid, event }) => (role === wanted && event === "ready" ? [pid] : []));

/** Waits until everything serves, which the supervisor knows of those that it pings, and returns the pids of a role. */
async function pidsOf(running: Running, role: string): Promise<number[]> {
  const pinged = (): number =>
    new Set(running.diary().flatMap(({ pid, event }) => (event === "ping" ? [pid] : []))).size;
  await until("everything serves", () => pinged() >= 3 && running.isServing());
  return readyPids(running, role);
}

const isGone = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`;
  return !existsSync(file) || / [ZX] /.test(readFileSync(file, "utf8"));
};

test("there is a salt for visitors before a process starts, so that the first click has one", async () => {
  const running = startServer();
  await until("a process has started", () => running.diary().length > 0);
  expect([...readSaltFile(running.paths.salts).keys()]).toContain(dayOf(Date.now()));
});

test("a start tells where it serves, and a stop ends redirects before control", async () => {
  const running = startServer({ KURZ_BASE_URL: "http://s.example" });
  await pidsOf(running, "control");
  for (const text of ["http://s.example/docs", running.paths.dataDir, "plain http", "Make an account."]) {
    expect(running.errors()).toContain(text);
  }
  expect(isLocked(running.paths)).toBe(true);

  running.server.kill("SIGTERM");
  expect(await running.server.exited).toBe(0);
  const ends = running.diary().filter(({ event }) => event === "stopping" || event === "stopped");
  const order = ends.map(({ role }) => role);
  expect(order.filter((role) => role === "redirect")).toHaveLength(4);
  expect(order.lastIndexOf("redirect")).toBeLessThan(order.indexOf("control"));
  expect(ends.slice(-2).map(({ role, event }) => `${role} ${event}`)).toEqual(["control stopping", "control stopped"]);
  expect(isLocked(running.paths)).toBe(false);
  expect(running.deaths()).toEqual([]);
});

test("a killed process is replaced and its end is logged", async () => {
  const running = startServer();
  const [pid = 0] = await pidsOf(running, "control");
  process.kill(pid, "SIGKILL");
  await until("it is replaced", () => readyPids(running, "control").length === 2);
  expect(running.deaths()).toMatchObject([{ role: "control", pid, code: null, signal: "SIGKILL", restart_ms: 100 }]);
});

test("a redirect process that hangs is killed and replaced", async () => {
  const running = startServer();
  const [pid = 0] = await pidsOf(running, "redirect");
  process.kill(pid, "SIGSTOP");
  await until("it is replaced", () => readyPids(running, "redirect").length === 3);
  expect(running.deaths()).toMatchObject([{ role: "redirect", pid, error: "hung: it answered no ping" }]);
});

test("a supervisor that was held up itself kills nobody", async () => {
  const running = startServer();
  await pidsOf(running, "redirect");
  const pings = (): number => running.diary().filter(({ event }) => event === "ping").length;
  const before = pings();
  running.server.kill("SIGUSR2");
  // The three processes get a ping each per beat: after this many the judgement has been made on every one.
  await until("there were many pings", () => pings() > before + 12);
  expect(running.deaths()).toEqual([]);
});

test("signals to the children alone change nothing", async () => {
  const running = startServer();
  const pids = [...(await pidsOf(running, "redirect")), ...(await pidsOf(running, "control"))];
  for (const pid of pids) {
    process.kill(pid, "SIGINT");
    process.kill(pid, "SIGTERM");
  }
  const before = running.diary().length;
  await until("life goes on", () => running.diary().length > before + 6);
  expect(pids.filter(isGone)).toEqual([]);
});

test("a killed supervisor leaves no process behind, not even a stopped one", async () => {
  const running = startServer();
  const pids = [...(await pidsOf(running, "redirect")), ...(await pidsOf(running, "control"))];
  expect(pids).toHaveLength(3);
  process.kill(pids[0] ?? 0, "SIGSTOP");
  running.server.kill("SIGKILL");
  // Its threads end one by one, and the last of them lets go of the lock.
  await running.server.exited;
  await until("all are gone", () => pids.every(isGone));
  expect(isLocked(running.paths)).toBe(false);
});

test("a process that does not stop is killed at the second signal, with exit code 1", async () => {
  const running = startServer({ NEVER_STOPS: "control" });
  const pids = [...(await pidsOf(running, "redirect")), ...(await pidsOf(running, "control"))];
  const interrupt = (): boolean => {
    running.server.kill("SIGINT");
    return running.server.exitCode !== null;
  };
  await until("the server has left", interrupt);
  expect(running.server.exitCode).toBe(1);
  expect(pids.every(isGone)).toBe(true);
  expect(isLocked(running.paths)).toBe(false);
});

test("a role that can never start ends the server with its reason", async () => {
  const running = startServer({ FAILS: "redirect" });
  expect(await running.server.exited).toBe(1);
  expect(toLines(running.errors()).at(-1)).toBe("kurz: the redirect process cannot start: Error: the disk is on fire");
  expect(
    running
      .diary()
      .filter(({ role }) => role === "control")
      .map(({ event }) => event),
  ).toContain("stopped");
});

test("a second server on the same data is refused with one line", async () => {
  const running = startServer();
  await pidsOf(running, "control");
  const second = startServer({}, running.paths);
  expect(await second.server.exited).toBe(1);
  const { dataDir } = running.paths;
  expect(second.errors()).toBe(
    `kurz: the data directory ${dataDir} is in use by process ${running.server.pid} (a running server)\n`,
  );
});

test("a port in use is refused with one line, also when it is shared with SO_REUSEPORT", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: true, fetch: () => new Response() });
  const running = startServer({ KURZ_PORT: String(other.port) });
  expect(await running.server.exited).toBe(1);
  expect(running.errors()).toBe(
    `kurz: cannot listen on 127.0.0.1:${other.port}: the port is in use; KURZ_HOST and KURZ_PORT set another address\n`,
  );
  expect(running.diary()).toEqual([]);
  await other.stop(true);
});

test("data of a newer version is refused with one line and left alone", async () => {
  const paths = newPaths();
  migrateSqlite(paths.records);
  const records = openSqlite({ path: paths.records, readonly: false });
  records.run("insert into migrations (id, name, applied_at) values (9999, 'later', 0)");
  records.close();
  const running = startServer({}, paths);
  expect(await running.server.exited).toBe(1);
  expect(running.errors()).toMatch(/^kurz: .*newer.*\n$/);
  expect(running.diary()).toEqual([]);
});
