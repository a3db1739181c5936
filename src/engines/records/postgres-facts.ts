import { connectOnce } from "./postgres-connect.ts";

/** What can be learnt with a connection of its own, without the whole engine. */
async function ask<R>(url: string, sql: string): Promise<R | undefined> {
  const client = await connectOnce(url);
  try {
    return (await client.query(sql)).rows[0] as R | undefined;
  } finally {
    await client.end();
  }
}

/** The version of the schema and the oldest one whose code can use it; `undefined` if there is none yet. */
export async function findPostgresSchema(url: string): Promise<{ version: number; worksFrom: number } | undefined> {
  const table = await ask<{ name: string | null }>(url, "select to_regclass('migrations')::text as name");
  if (table?.name == null) return undefined;
  // A release that didn't know the column may have migrated last.
  return await ask(
    url,
    `select coalesce(max(id), 0)::integer as version,
      coalesce(max(coalesce((to_jsonb(migrations) ->> 'works_from')::integer, id)), 0)::integer as "worksFrom"
     from migrations`,
  );
}

export const databaseHasUsers = async (url: string): Promise<boolean> =>
  (await ask(url, "select 1 from users limit 1")) !== undefined;

/** Identifies an installation by when its first table was created. Backups keep it. */
export async function readInstallationIn(url: string): Promise<string> {
  const first = await ask<{ applied_at: string }>(url, "select applied_at from migrations order by id limit 1");
  return Number(first?.applied_at).toString(36);
}
