import { describe } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CLICKHOUSE_DIRECTORY,
  clickHouseMissing,
  installClickHouse,
  isClickHouseNoted,
  X64_NODE,
} from "./clickhouse-library.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const START_TIMEOUT_MS = 300_000;

/** How long a test may take: Bun ends the server with the first test that takes longer, and so all that follow fail. */
export const clickHouseTestMsMax = 1_800_000;

/** How long a statement may take. */
export const clickHousePatienceMs = X64_NODE ? clickHouseTestMsMax : 120_000;

/** The same for a move, which takes many statements. */
export const movePatienceMs = 600_000;

/** Random cases per test: planning a report takes half a second, and under an emulator a second or more. */
export const clickHouseCasesMax = X64_NODE ? 2 : 4;

/** Like `describe`. On a machine that ClickHouse can't run on there are no such tests, and one line says so. */
export function describeWithClickHouse(name: string, tests: () => void): void {
  if (clickHouseMissing === null) describe(name, tests);
  else if (!isClickHouseNoted()) process.stderr.write(`${clickHouseMissing}\n`);
}

export interface ClickHouseServer {
  /** Without a database. */
  readonly origin: string;
  /** Of the process that runs now. */
  readonly pid: number;
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

/** ClickHouse behind its HTTP interface, in a process of its own. It takes seconds to start: share it in a file. */
export async function startClickHouseServer(): Promise<ClickHouseServer> {
  await installClickHouse();
  const directory = mkdtempSync(join(tmpdir(), "kurz-clickhouse-"));
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: Bun.Subprocess<"ignore", "pipe", "ignore"> | null = null;

  const start = async (): Promise<void> => {
    const command = [X64_NODE ?? "node", join(CLICKHOUSE_DIRECTORY, "server.mjs"), directory, `${port}`];
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
    get pid() {
      if (child === null) throw new Error("ClickHouse doesn't run");
      return child.pid;
    },
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
