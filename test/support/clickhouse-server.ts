import { describe, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lock from "../clickhouse/package-lock.json" with { type: "json" };
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const PACKAGE_DIRECTORY = join(import.meta.dir, "..", "clickhouse");
const INSTALL_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 300_000;

/**
 * A command that runs Node for x64, on machines that chdb has no library for: an emulator. Nothing else in the tests
 * depends on it.
 */
const X64_NODE = process.env.KURZ_TEST_X64_NODE;

const libraryFor = (arch: string): string => `@chdb/lib-${process.platform}-${arch}-gnu`;
const ARCH = X64_NODE ? "x64" : process.arch;

const hasClickHouse = Object.hasOwn(lock.packages, `node_modules/${libraryFor(ARCH)}`);
const isAskedFor = X64_NODE !== undefined || process.env.KURZ_TEST_CLICKHOUSE === "1";

/** Like `describe`; if ClickHouse isn't asked for, or there is none for the machine, it says so instead. */
export function describeWithClickHouse(name: string, tests: () => void): void {
  if (hasClickHouse && isAskedFor) {
    describe(name, tests);
    return;
  }
  const reason = hasClickHouse ? "KURZ_TEST_CLICKHOUSE=1 asks for it" : `there is no ${libraryFor(ARCH)}`;
  process.stderr.write(`Not tested: ${name}; ${reason}. See "Tests on ClickHouse" in CONTRIBUTING.md.\n`);
  test.skip(name, tests);
}

export interface ClickHouseServer {
  /** Without a database. */
  readonly origin: string;
  /** Stops answering without closing anything, as if the machine or the network had stalled. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, as `kill -9` does; what it has acknowledged stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  /** Runs a statement and returns the answer as text, tab-separated. */
  ask(sql: string, database?: string): Promise<string>;
  /** The directories of a table's active parts. */
  partsOf(database: string, table: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

async function install(): Promise<void> {
  if (existsSync(join(PACKAGE_DIRECTORY, "node_modules", libraryFor(ARCH)))) return;
  const child = Bun.spawn(["npm", "ci", `--cpu=${ARCH}`], {
    cwd: PACKAGE_DIRECTORY,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: INSTALL_TIMEOUT_MS,
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`"npm ci" in test/clickhouse ended with ${exitCode}: ${stderr}`);
}

/** ClickHouse behind its HTTP interface, in a process of its own. It takes seconds to start: share it in a file. */
export async function startClickHouseServer(): Promise<ClickHouseServer> {
  await install();
  const directory = mkdtempSync(join(tmpdir(), "kurz-clickhouse-"));
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: Bun.Subprocess<"ignore", "pipe", "ignore"> | null = null;

  const start = async (): Promise<void> => {
    const command = [X64_NODE ?? "node", join(PACKAGE_DIRECTORY, "server.mjs"), directory, `${port}`];
    const started = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    child = started;
    let isListening = false;
    void (async () => {
      for await (const bytes of started.stdout) isListening ||= new TextDecoder().decode(bytes).includes("listening");
    })();
    await until(
      "ClickHouse listens",
      () => {
        if (started.exitCode !== null) throw new Error(`ClickHouse has exited with ${started.exitCode}`);
        return isListening;
      },
      START_TIMEOUT_MS,
    );
  };

  const kill = async (): Promise<void> => {
    // Also ends a frozen one.
    child?.kill("SIGKILL");
    await child?.exited;
    child = null;
  };

  const ask = async (sql: string, database = "default"): Promise<string> => {
    const answer = await fetch(`${origin}/?database=${database}`, { method: "POST", body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trimEnd();
  };

  await start();
  return {
    origin,
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    kill,
    start,
    ask,
    async partsOf(database, table) {
      const sql = `select path from system.parts where database = '${database}' and table = '${table}' and active`;
      return (await ask(sql)).split("\n").filter((path) => path !== "");
    },
    async stop() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
