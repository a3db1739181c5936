import pg from "pg";

const CONNECT_MS_MAX = 3000;
const IDLE_MS_MAX = 60_000;

const NUMBER_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

export interface PoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** When a statement is given up, with its connection. A little longer than the server's own limit, if it has one. */
  readonly queryMsMax: number;
  /** When the server gives up a statement, as a setting of the connection: not every pooler lets it pass. */
  readonly statementMsMax?: number;
  /** Also limits how long a statement waits for a free connection. */
  readonly connectMsMax?: number;
}

/**
 * How a read begins, as a transaction of its own. The server gives up, too: what nobody waits for any more must not pile
 * up there. It works behind a pooler in transaction mode, too.
 */
export const beginReading = (msMax: number): string => `begin read only; set local statement_timeout = ${msMax}`;

/** As in libpq, which operators know: `sslmode=require` encrypts, and `verify-full` checks the certificate, too. */
export const withKnownSslModes = (url: string): string =>
  url.includes("uselibpqcompat=") ? url : `${url}${url.includes("?") ? "&" : "?"}uselibpqcompat=true`;

/**
 * Connections without state of their own, so that a pooler may give each transaction another one: no named statements,
 * no settings outside transactions, but for those that a pooler refuses or ignores when a connection is opened.
 */
export function openPool(options: PoolOptions): pg.Pool {
  const { url, connectionsMax, queryMsMax, statementMsMax, connectMsMax = CONNECT_MS_MAX } = options;
  const pool = new pg.Pool({
    connectionString: withKnownSslModes(url),
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: IDLE_MS_MAX,
    query_timeout: queryMsMax,
    ...(statementMsMax !== undefined && { statement_timeout: statementMsMax }),
    keepAlive: true,
    application_name: "kurz",
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
    types: { getTypeParser },
  } as pg.PoolConfig);
  // Without listeners, a lost connection ends the process. Whoever uses one learns it from their statement.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Numbers as such: none of ours is beyond what a double represents exactly. */
const getTypeParser = ((type: number, format?: "text" | "binary") =>
  NUMBER_TYPES.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;
