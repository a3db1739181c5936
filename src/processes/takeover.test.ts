import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { isLocked, type LockHolder, type ServerNote } from "#runtime/data-lock.ts";
import { freePort } from "#test/support/free-port.ts";
import { runKurz } from "#test/support/kurz-server.ts";
import { childrenOf, familyOf, isAlive } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-takeover-"));
afterAll(() => rmSync(root, { recursive: true }));
const modulePath = (path: string): string => JSON.stringify(join(import.meta.dir, path));

// A role that notes when it is asked to stop. Control goes on only once it may, and a server that is called "slow" never does.
const childFile = join(root, "child.ts");
writeFileSync(
  childFile,
  `
  import { appendFileSync, existsSync } from "node:fs";
  import { runChild } from ${modulePath("../supervision/child-role.ts")};
  const [role] = process.argv.slice(2);
  const { ready } = runChild({
    release: () => (process.env.HANGS === "release" ? new Promise(() => {}) : Promise.resolve()),
    alone: () => appendFileSync(process.env.DIARY, role + " is alone\\n"),
    async stop() {
      appendFileSync(process.env.DIARY, role + " stops\\n");
      while (role === "control" && !existsSync(process.env.MAY_GO_ON)) await Bun.sleep(10);
    },
  });
  setInterval(() => {}, 1000);
  ready();
  `,
);
const serverFile = join(root, "server.ts");
writeFileSync(
  serverFile,
  `
  import { appendFileSync } from "node:fs";
  import { loadConfig } from ${modulePath("../config/load-config.ts")};
  import { supervise } from ${modulePath("supervisor.ts")};
  const command = (role) => [process.execPath, ${JSON.stringify(childFile)}, role];
  const prepare = async () => {
    appendFileSync(process.env.DIARY, "a server starts\\n");
    if (process.argv[2] === "slow") await new Promise(() => setInterval(() => {}, 1000));
  };
  process.exit(await supervise(loadConfig(process.env), { command, prepare }));
  `,
);

let directory: string;
let server: Bun.Subprocess | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(root, "case-"));
});
afterEach(async () => {
  server?.kill("SIGKILL");
  await server?.exited;
});

function startServer(env: Record<string, string> = {}) {
  const paths = dataPaths(join(directory, "data"));
  const [errorsFile, diaryFile, signFile] = ["errors", "diary", "sign"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const started = Bun.spawn([process.execPath, serverFile], {
    stdio: ["ignore", "inherit", Bun.file(errorsFile)],
    env: {
      PATH: process.env.PATH,
      DIARY: diaryFile,
      MAY_GO_ON: signFile,
      KURZ_DATA_DIR: paths.dataDir,
      KURZ_REDIRECT_PROCESSES: "2",
      KURZ_METRICS_ADDR: "off",
      KURZ_PORT: String(freePort()),
      ...env,
    },
  });
  server = started;
  const settled = async (): Promise<ServerNote> => {
    await until("it is settled", () => noteOf(paths)?.isSettled === true);
    return noteOf(paths) as ServerNote;
  };
  const diary = (): string[] => (existsSync(diaryFile) ? readFileSync(diaryFile, "utf8").split("\n").slice(0, -1) : []);
  return {
    paths,
    server: started,
    settled,
    diary,
    noted: (line: string, times = 1) =>
      until(`"${line}" is noted`, () => diary().filter((each) => each === line).length === times),
    errors: () => readFileSync(errorsFile, "utf8"),
    letGoOn: () => writeFileSync(signFile, ""),
    /** As `kurz reload` asks, for any program and check. */
    ask(request: string, command: readonly string[], check: readonly string[] = ["/bin/true"]) {
      writeFileSync(join(paths.run, "successor.json"), JSON.stringify({ request, asker: process.pid, command, check }));
      started.kill("SIGUSR2");
    },
    reload: () => runKurz(["reload"], { KURZ_DATA_DIR: paths.dataDir }),
  };
}

function noteOf({ run }: DataPaths): ServerNote | undefined {
  try {
    return (JSON.parse(readFileSync(join(run, "lock-holder.json"), "utf8")) as LockHolder).server;
  } catch {
    return undefined;
  }
}

const NEXT = [process.execPath, serverFile];

test("a program whose check fails is refused with the reason, and the next one takes over", async () => {
  const { settled, letGoOn, ask, server, paths, noted } = startServer();
  const { run } = await settled();
  const family = familyOf(server.pid);
  ask("first", NEXT, ["/bin/sh", "-c", "echo 'kurz: KURZ_X is not a setting' >&2; exit 1"]);
  const reason = "the new version can't start: KURZ_X is not a setting";
  await until("it is refused", () => noteOf(paths)?.refused?.reason === reason);
  expect(await settled()).toMatchObject({ run, refused: { request: "first" } });
  ask("second", NEXT, ["/nowhere/kurz"]);
  await until("it is refused", () => noteOf(paths)?.refused?.request === "second");
  expect(noteOf(paths)?.refused?.reason).toContain("/nowhere/kurz");
  expect(familyOf(server.pid)).toEqual(family);
  letGoOn();
  ask("third", NEXT);
  await noted("a server starts", 2);
  await until("it has taken over", () => noteOf(paths)?.run !== run && noteOf(paths)?.isSettled === true);
  expect(noteOf(paths)).toMatchObject({ request: "third" });
  await noted("control is alone");
  expect(family.slice(1).filter(isAlive)).toEqual([]);
});

test("processes of two programs never have the number of one writer, however many there are", async () => {
  const { settled, letGoOn, ask, server, paths } = startServer();
  letGoOn();
  await settled();
  const writers = [writersOf(server.pid)];
  for (const processes of [4, 5, 1]) {
    const { run } = await settled();
    ask(`to ${processes}`, ["/usr/bin/env", `KURZ_REDIRECT_PROCESSES=${processes}`, ...NEXT]);
    await until("it has taken over", () => noteOf(paths)?.run !== run && noteOf(paths)?.isSettled === true);
    await until("all are there", () => writersOf(server.pid).length === processes);
    writers.push(writersOf(server.pid));
  }
  for (const [before, after] of writers.slice(1).map((each, no) => [writers[no], each] as const)) {
    expect(after.filter((writer) => before?.includes(writer))).toEqual([]);
  }
});

/** The first number of each redirect process. */
const writersOf = (supervisor: number): string[] =>
  childrenOf(supervisor, "redirect").map(
    (pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0redirect\0")[1]?.split("\0")[0] ?? "",
  );

test("a reload during another one is refused, and signals meanwhile change nothing", async () => {
  const { settled, letGoOn, ask, server, paths, noted, reload } = startServer();
  const { run } = await settled();
  ask("first", NEXT);
  await noted("control stops");
  expect(await reload()).toMatchObject({ code: 1, stderr: expect.stringContaining("being reloaded; try again") });
  server.kill("SIGUSR2");
  letGoOn();
  for (; noteOf(paths)?.run === run || !noteOf(paths)?.isSettled; await Bun.sleep(1)) server.kill("SIGUSR2");
  expect(noteOf(paths)).toMatchObject({ request: "first" });
  expect(existsSync(join(paths.run, "successor.json"))).toBe(false);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("a stop during a handover stops the server", async () => {
  const { settled, letGoOn, ask, server, paths, noted, diary } = startServer();
  await settled();
  const family = familyOf(server.pid);
  ask("first", NEXT);
  await noted("control stops");
  server.kill("SIGTERM");
  await noted("redirect stops", 2);
  letGoOn();
  expect(await server.exited).toBe(0);
  expect(diary().filter((line) => line === "a server starts")).toHaveLength(1);
  expect([family.filter(isAlive), isLocked(paths)]).toEqual([[], false]);
});

test("a stop while the next program starts lets processes of the one before finish", async () => {
  const { settled, letGoOn, ask, server, paths, noted, diary } = startServer();
  await settled();
  const family = familyOf(server.pid);
  letGoOn();
  ask("first", [...NEXT, "slow"]);
  await noted("a server starts", 2);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(diary().filter((line) => line === "redirect stops")).toHaveLength(2);
  expect([family.filter(isAlive), isLocked(paths)]).toEqual([[], false]);
});

test("a process that never says that it is released doesn't hold up the next program, and ends with the others", async () => {
  const { settled, letGoOn, ask, server, paths } = startServer({ HANGS: "release" });
  const { run } = await settled();
  const family = familyOf(server.pid);
  letGoOn();
  ask("first", NEXT);
  await until("it has taken over", () => noteOf(paths)?.run !== run && noteOf(paths)?.isSettled === true);
  expect(family.slice(1).filter(isAlive)).toEqual([]);
});

test("a program that can't use the sockets of the one before closes them", async () => {
  const port = freePort();
  const { settled, letGoOn, ask, paths } = startServer({ KURZ_PORT: String(port) });
  const { run } = await settled();
  const connect = () =>
    Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then((socket) => socket.end());
  await connect();
  letGoOn();
  ask("first", ["/usr/bin/env", "KURZ_FAST_LANE=off", ...NEXT]);
  await until("it has taken over", () => noteOf(paths)?.run !== run && noteOf(paths)?.isSettled === true);
  await expect(connect()).rejects.toThrow("connect");
});

test("a server that can't write down its state goes on", async () => {
  const { settled, letGoOn, ask, server, paths, errors } = startServer();
  await settled();
  const note = join(paths.run, "lock-holder.json");
  rmSync(note);
  mkdirSync(note);
  ask("first", NEXT, ["/bin/false"]);
  await until("it is refused", () => errors().includes("another program can't take over"));
  await until("it says so", () => errors().includes("can't write down its state"));
  rmSync(note, { recursive: true });
  await until("the note is back", () => noteOf(paths)?.refused?.request === "first");
  letGoOn();
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("a supervisor that is killed during a handover leaves nothing in the way of the next start", async () => {
  const { settled, ask, server, paths, noted } = startServer();
  await settled();
  const family = familyOf(server.pid);
  ask("first", NEXT);
  await noted("control stops");
  server.kill("SIGKILL");
  await server.exited;
  await until("all are gone", () => !family.some(isAlive));
  expect(isLocked(paths)).toBe(false);
  const again = startServer();
  again.letGoOn();
  await again.settled();
  again.server.kill("SIGTERM");
  expect(await again.server.exited).toBe(0);
});

test("if the next program can't be executed, the server ends in order and says why", async () => {
  const { settled, letGoOn, ask, server, paths, errors, diary } = startServer();
  await settled();
  const family = familyOf(server.pid);
  letGoOn();
  ask("first", ["/nowhere/kurz"]);
  expect(await server.exited).toBe(1);
  expect(errors()).toContain("kurz: /nowhere/kurz can't be executed (ENOENT)");
  expect(diary().filter((line) => line === "redirect stops")).toHaveLength(2);
  expect([family.filter(isAlive), isLocked(paths)]).toEqual([[], false]);
});

test.each([
  ["that listens on a name", { KURZ_HOST: "localhost" }, "KURZ_HOST=localhost"],
  ["without the fast lane", { KURZ_FAST_LANE: "off" }, "KURZ_FAST_LANE=off"],
])("a server %s refuses, whatever the settings of the command", async (_, env, reason) => {
  const { settled, ask, paths, reload } = startServer(env);
  await settled();
  const { code, stderr } = await reload();
  expect([code, stderr]).toEqual([1, expect.stringContaining("restart the server instead")]);
  expect(stderr).toContain(reason);
  ask("first", NEXT);
  await until("it is refused", () => noteOf(paths)?.refused !== undefined);
  expect(noteOf(paths)?.refused?.reason).toContain(reason);
});

test("no signal goes to a process that isn't the server", async () => {
  const { settled, paths, reload } = startServer();
  const server = await settled();
  // As it looks from another container; the signal would end this process.
  writeFileSync(join(paths.run, "lock-holder.json"), JSON.stringify({ pid: process.pid, purpose: "server", server }));
  const { code, stderr } = await reload();
  expect([code, stderr]).toEqual([1, expect.stringContaining("run this where the server runs")]);
});
