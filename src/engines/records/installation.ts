import { openSqlite } from "./sqlite/connection.ts";

/** Identifies an installation by when its first table was created. Backups keep it. */
export function readInstallationOf(path: string): string {
  const database = openSqlite({ path, readonly: true });
  try {
    const row = database.query("select applied_at from migrations order by id limit 1").get();
    return (row as { applied_at: number }).applied_at.toString(36);
  } finally {
    database.close();
  }
}
