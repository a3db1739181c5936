import { existsSync } from "node:fs";
import { openSqlite } from "./sqlite/connection.ts";

/** Opens its own read-only handle, so reading changes nothing; returns nothing if there is no file. */
export function findSchemaVersion(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const database = openSqlite({ path, readonly: true });
  try {
    const [table] = database.query("select 1 from sqlite_schema where name = 'migrations'").all();
    if (table === undefined) return 0;
    const row = database.query("select coalesce(max(id), 0) as version from migrations").get();
    return (row as { version: number }).version;
  } finally {
    database.close();
  }
}
