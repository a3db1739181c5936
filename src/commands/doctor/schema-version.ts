import { existsSync } from "node:fs";
import type { DataPaths } from "#config/data-paths.ts";
import { migrations } from "#engines/records/migrations/all.ts";
import { openSqlite } from "#engines/records/sqlite-connection.ts";
import { type Check, ok, problem } from "./check.ts";

const NEWEST = migrations.at(-1)?.id ?? 0;

export const schemaVersion: Check = {
  name: "schema",
  run({ paths }) {
    const version = findSchemaVersion(paths);
    if (version === null) return [ok("there are no records yet; the first start makes them")];
    if (version === NEWEST) return [ok(`version ${version} is current`)];
    if (version < NEWEST) return [problem(`version ${version} is behind ${NEWEST}; run kurz migrate`)];
    return [problem(`version ${version} was written by a newer Kurz; this one knows ${NEWEST}`)];
  },
};

export const hasCurrentSchema = (paths: DataPaths): boolean => findSchemaVersion(paths) === NEWEST;

/** Read with a handle of its own: opening the services would bring the schema up to date first. */
function findSchemaVersion({ records }: DataPaths): number | null {
  if (!existsSync(records)) return null;
  const database = openSqlite({ path: records, readonly: true });
  try {
    const [table] = database.query("select 1 from sqlite_schema where name = 'migrations'").all();
    if (table === undefined) return 0;
    const row = database.query("select coalesce(max(id), 0) as version from migrations").get();
    return (row as { version: number }).version;
  } finally {
    database.close();
  }
}
