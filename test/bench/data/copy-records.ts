import { join } from "node:path";
import pg from "pg";
import { moveRecords } from "#engines/open-engines.ts";
import type { PostgresServer } from "#test/support/postgres-server.ts";

/** Moves the records of a data directory to a new database, as an operator would; returns its name. */
export async function copyRecords(dataDir: string, postgres: PostgresServer): Promise<string> {
  const database = await postgres.newDatabase();
  await moveRecords({
    from: { path: join(dataDir, "records.db") },
    to: { url: postgres.urlOf(database), readUrl: null },
    discards: false,
    onProgress: () => {},
  });
  // What a server does sooner or later mustn't happen during a measurement.
  const target = new pg.Client(postgres.adminUrlOf(database));
  await target.connect();
  try {
    await target.query("vacuum (analyze)");
    await target.query("checkpoint");
  } finally {
    await target.end();
  }
  return database;
}
