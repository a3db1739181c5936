import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { KeyFingerprint } from "../key-fingerprint.ts";
import { openSqlite } from "./connection.ts";

export function sqliteKeyFingerprint(path: string): KeyFingerprint {
  const withFile = <T>(readonly: boolean, use: (database: Database) => T): T => {
    const database = openSqlite({ path, readonly });
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  return {
    find: async () => (existsSync(path) ? withFile(true, findIn) : null),
    agreeOn: async (fingerprint) =>
      withFile(false, (database) => {
        database.run("insert into secret_key (no, fingerprint) values (1, ?) on conflict do nothing", [fingerprint]);
        return findIn(database) ?? fingerprint;
      }),
    replaceBy: async (fingerprint) =>
      withFile(false, (database) => {
        database.run("insert or replace into secret_key (no, fingerprint) values (1, ?)", [fingerprint]);
      }),
  };
}

/** A file of an earlier release has no such table. */
function findIn(database: Database): string | null {
  if (database.query("select 1 from sqlite_schema where name = 'secret_key'").get() === null) return null;
  const row = database.query("select fingerprint from secret_key where no = 1").get() as { fingerprint: string } | null;
  return row?.fingerprint ?? null;
}
