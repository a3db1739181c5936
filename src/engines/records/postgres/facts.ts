import type pg from "pg";
import { connectOnce } from "./connect.ts";
import { toRecordsError } from "./errors.ts";

/** A server that accepts connections may still never answer. */
const ANSWER_MS_MAX = 5000;

export interface PostgresSchema {
  readonly version: number;
  /** The oldest schema whose code can use the database as it is. */
  readonly worksFrom: number;
}

/** What can be learnt with a connection of its own, without the whole engine. */
export async function ask<T>(url: string, question: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOnce(url);
  try {
    return await question(client);
  } finally {
    await client.end();
  }
}

/** One statement, within seconds. */
export async function firstRow<R>(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<R | undefined> {
  try {
    const { rows } = await client.query({ text, values: [...values], query_timeout: ANSWER_MS_MAX } as pg.QueryConfig);
    return rows[0] as R | undefined;
  } catch (error) {
    throw toRecordsError(error);
  }
}

/** `undefined` if there is none yet. */
export async function readSchema(client: pg.Client): Promise<PostgresSchema | undefined> {
  // Within a transaction, to_regclass() answers from a cache that may be older than the transaction's last lock.
  const sql = "select 1 from pg_class where relname = 'migrations' and pg_table_is_visible(oid)";
  if ((await firstRow(client, sql)) === undefined) return undefined;
  // A release that didn't know the column may have migrated last.
  return await firstRow(
    client,
    `select coalesce(max(id), 0)::integer as version,
      coalesce(max(coalesce((to_jsonb(migrations) ->> 'works_from')::integer, id)), 0)::integer as "worksFrom"
     from migrations`,
  );
}

export const findPostgresSchema = (url: string): Promise<PostgresSchema | undefined> => ask(url, readSchema);

export const databaseHasUsers = async (url: string): Promise<boolean> =>
  (await ask(url, (client) => firstRow(client, "select 1 from users limit 1"))) !== undefined;

/** Identifies an installation by when its first table was created. Backups keep it. */
export async function readInstallationIn(url: string): Promise<string> {
  const first = await ask(url, (client) =>
    firstRow<{ applied_at: string }>(client, "select applied_at from migrations order by id limit 1"),
  );
  return Number(first?.applied_at).toString(36);
}
