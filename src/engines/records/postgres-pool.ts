import pg from "pg";

const CONNECT_MS_MAX = 3000;
const IDLE_MS_MAX = 60_000;

const NUMBER_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

export interface PoolOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** When a statement is given up, with its connection. A little longer than the server's own limit, if it has one. */
  readonly queryMsMax: number;
  /** Also limits how long a statement waits for a free connection. */
  readonly connectMsMax?: number;
}

/** As in libpq, which operators know: `sslmode=require` encrypts, and `verify-full` checks the certificate, too. */
export const withKnownSslModes = (url: string): string =>
  url.includes("uselibpqcompat=") ? url : `${url}${url.includes("?") ? "&" : "?"}uselibpqcompat=true`;

/**
 * Connections without state of their own, so that a pooler may give each transaction another one: no named statements,
 * no settings outside transactions.
 */
export function openPool({ url, connectionsMax, queryMsMax, connectMsMax = CONNECT_MS_MAX }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withKnownSslModes(url),
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: IDLE_MS_MAX,
    query_timeout: queryMsMax,
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
