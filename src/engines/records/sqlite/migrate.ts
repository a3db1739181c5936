import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { MigrationReport } from "../migration-report.ts";
import { migrations } from "../migrations/all.ts";
import { openSqlite } from "./connection.ts";

/** Migrates the file to the newest schema, each step in its own transaction. */
export function migrateSqlite(path: string): MigrationReport {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = openSqlite({ path, readonly: false });
  try {
    database.run(
      "create table if not exists migrations (id integer primary key, name text not null, applied_at integer not null)",
    );
    const newest = migrations.at(-1)?.id ?? 0;
    const { version } = database.query("select coalesce(max(id), 0) as version from migrations").get() as {
      version: number;
    };
    if (version > newest) {
      throw new Error(`the data was written by a newer Kurz (schema ${version}, this one knows ${newest})`);
    }
    const applied = migrations.filter(({ id }) => id > version);
    for (const { id, name, sqlite } of applied) {
      database.transaction(() => {
        database.run(sqlite);
        database.run("insert into migrations (id, name, applied_at) values (?, ?, ?)", [id, name, Date.now()]);
      })();
    }
    return { applied: applied.map(({ name }) => name), version: newest };
  } finally {
    database.close();
  }
}
