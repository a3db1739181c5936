import { Readable } from "node:stream";
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import { ClicksUnavailable } from "../clicks-engine.ts";

export type Cell = string | number | boolean | null | readonly Cell[];
export type Row = readonly Cell[];

export interface StatementOptions {
  /** Values of `{name:Type}` in the statement: strings are always bound; only numbers are written into it. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly settings?: ClickHouseSettings;
  readonly timeoutMs?: number;
}

/** The server, over HTTP. Every call fails with `ClicksUnavailable` when trying again later may help. */
export interface ClickHouseSession {
  run(sql: string, options?: StatementOptions): Promise<void>;
  /** For at most a few thousand rows. */
  rows(sql: string, options?: StatementOptions): Promise<readonly Row[]>;
  /** For any number of rows: some at a time. Resolves once the first of them can be read, or the statement has failed. */
  stream(sql: string, options?: StatementOptions): Promise<AsyncIterable<readonly Row[]>>;
  /** Inserts rows in a binary or text format; the statement ends with `format …`. */
  insert(sql: string, body: Uint8Array, options?: StatementOptions): Promise<void>;
  /** Inserts a few rows with one statement: all of them or none. `into` names the table and its columns. */
  insertRows(into: string, rows: readonly Row[], options?: StatementOptions): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** For statements that may rewrite a table. */
export const REWRITE_TIMEOUT_MS = 3_600_000;

interface SessionOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** How long after a statement's deadline to wait for the server, which gives up first and says why. */
  readonly graceMs?: number;
  /** For statements that don't say how long they may take. */
  readonly statementTimeoutMs?: number;
  /** Sent with every statement. */
  readonly settings?: ClickHouseSettings;
  /** Called after each statement with why the server couldn't be used, or `null` if it could. */
  readonly onOutcome?: (problem: string | null) => void;
}

export function openSession({
  url,
  connectionsMax,
  graceMs = 2000,
  statementTimeoutMs = 10_000,
  settings: commonSettings = {},
  onOutcome = () => {},
}: SessionOptions): ClickHouseSession {
  const client = createClient({
    url,
    application: "kurz",
    max_open_connections: connectionsMax,
    // Each statement has a deadline of its own.
    request_timeout: DAY_MS,
    // Long lists of filters don't fit in an address.
    use_multipart_params_auto: true,
    // Callers report what fails.
    log: { level: ClickHouseLogLevel.OFF },
  });
  async function bounded<T>(
    { values, settings, timeoutMs = statementTimeoutMs }: StatementOptions,
    start: (params: {
      readonly query_params?: Record<string, unknown>;
      readonly clickhouse_settings: ClickHouseSettings;
      readonly abort_signal: AbortSignal;
    }) => Promise<T>,
  ): Promise<T> {
    try {
      const answer = await start({
        ...(values && { query_params: { ...values } }),
        clickhouse_settings: {
          // A statement answers once its effect is stored, and inserts are stored as they are sent.
          async_insert: 0,
          max_execution_time: Math.ceil(timeoutMs / 1000),
          ...commonSettings,
          ...settings,
        },
        abort_signal: AbortSignal.timeout(timeoutMs + graceMs),
      });
      onOutcome(null);
      return answer;
    } catch (error) {
      const problem = toUnavailable(error);
      onOutcome(
        problem instanceof ClicksUnavailable && !OF_A_WORKING_SERVER.has(typeOf(error)) ? problem.message : null,
      );
      throw problem;
    }
  }

  const insert: ClickHouseSession["insert"] = (query, body, options = {}) =>
    bounded(options, async (params) => {
      const { stream } = await client.exec({
        query,
        values: Readable.from([body], { objectMode: false }),
        ...params,
      });
      stream.resume();
      await new Promise((resolve, reject) => stream.once("close", resolve).once("error", reject));
    });

  return {
    insert,

    insertRows: (into, rows, options) =>
      insert(
        `insert into ${into} format JSONCompactEachRow`,
        Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
        options,
      ),

    run: (query, options = {}) =>
      bounded(options, async (params) => {
        await client.command({ query, ...params });
      }),

    rows: (query, options = {}) =>
      bounded(options, async (params) => {
        const result = await client.query({ query, format: "JSONCompactEachRow", ...params });
        return result.json<Row>();
      }),

    stream: (query, options = {}) =>
      bounded(options, async (params) => {
        const result = await client.query({ query, format: "JSONCompactEachRow", ...params });
        return rowsOf(result.stream<Row>());
      }),

    close: () => client.close(),
  };
}

async function* rowsOf(chunks: AsyncIterable<readonly { json<T>(): T }[]>): AsyncGenerator<readonly Row[]> {
  try {
    for await (const rows of chunks) yield rows.map((row) => row.json<Row>());
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Errors of the server that no repetition cures: they mean a mistake in Kurz, or rights that are missing. */
const LASTING = new Set([
  "BAD_ARGUMENTS",
  "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
  "CANNOT_READ_ALL_DATA",
  "ILLEGAL_TYPE_OF_ARGUMENT",
  "INCORRECT_DATA",
  "NO_COMMON_TYPE",
  "NUMBER_OF_ARGUMENTS_DOESNT_MATCH",
  "SYNTAX_ERROR",
  "TYPE_MISMATCH",
  "UNKNOWN_FUNCTION",
  "UNKNOWN_IDENTIFIER",
  "UNKNOWN_SETTING",
]);

const TIMEOUTS = new Set(["TIMEOUT_EXCEEDED", "QUERY_WAS_CANCELLED"]);
/** It gives up on a long statement in time, or has no database for Kurz yet. */
const OF_A_WORKING_SERVER = new Set([...TIMEOUTS, "UNKNOWN_DATABASE"]);

/** The server's name of an error; empty if it came from elsewhere. */
const typeOf = (error: unknown): string => (error instanceof Error && "type" in error ? String(error.type) : "");

function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ClicksUnavailable) return error;
  const type = typeOf(error);
  if (LASTING.has(type)) return error;
  const isLate = TIMEOUTS.has(type) || error.name === "TimeoutError" || /abort|timeout/i.test(error.message);
  const message = isLate ? "ClickHouse took too long." : `ClickHouse is unavailable: ${error.message}`;
  return new ClicksUnavailable(message, { cause: error });
}

/** Whether a statement took effect, though not yet on servers that are away. */
export const isUnfinished = (error: unknown): boolean =>
  error instanceof ClicksUnavailable && typeOf(error.cause) === "UNFINISHED";

/** An integer as SQL. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`);
  return String(value);
}
