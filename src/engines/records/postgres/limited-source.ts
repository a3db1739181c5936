import { CompiledQuery } from "kysely";
import type pg from "pg";
import { acquireFrom, type PostgresConnection, type PostgresSource, type SourceOptions } from "./dialect.ts";
import { beginReading, openPool, type PoolOptions } from "./pool.ts";

// A parameter that a pooler doesn't know. PostgreSQL itself knows this one.
const UNSUPPORTED = /unsupported startup parameter/;

type Watching = Pick<SourceOptions, "availability" | "explain">;

/**
 * Connections whose statements the server gives up after `msMax`. A setting of the connection costs nothing; a pooler in
 * transaction mode refuses or ignores it, and then each statement brings its own, which costs half as much again.
 */
export function limitedSource(options: PoolOptions, msMax: number, watching: Watching = {}): PostgresSource {
  const limited = openPool({ ...options, statementMsMax: msMax });
  let isLimited = false;
  let plain: pg.Pool | null = null;

  const acquireLimited = async (): Promise<PostgresConnection | null> => {
    const connection = await acquireFrom(limited, watching);
    isLimited ||= await hasLimit(connection, msMax);
    if (isLimited) return connection;
    connection.release();
    return null;
  };

  const acquirePlain = (): Promise<PostgresConnection> => {
    plain ??= openPool(options);
    return acquireFrom(plain, { beforeEach: beginReading(msMax), ...watching });
  };

  return {
    async acquire() {
      if (plain !== null) return acquirePlain();
      try {
        return (await acquireLimited()) ?? (await acquirePlain());
      } catch (error) {
        if (!UNSUPPORTED.test(String(error))) throw error;
        return acquirePlain();
      }
    },
    release: (connection) => (connection as PostgresConnection).release(),
    begin: "begin",
    async close() {
      await Promise.all([limited.end(), plain?.end()]);
    },
  };
}

async function hasLimit(connection: PostgresConnection, msMax: number): Promise<boolean> {
  const { rows } = await connection.executeQuery<{ ms: number }>(
    CompiledQuery.raw("select setting::integer as ms from pg_settings where name = 'statement_timeout'"),
  );
  return rows[0]?.ms === msMax;
}
