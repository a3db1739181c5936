import { migratePostgres } from "#engines/records/postgres/migrate.ts";
import { openPostgresRecords, type PostgresRecordsOptions } from "#engines/records/postgres/postgres-records.ts";
import type { Records } from "#engines/records/records.ts";
import { sharedPostgres } from "./postgres-server.ts";

export interface TestPostgres {
  readonly url: string;
  readonly database: string;
  /** Of one database, as several nodes have them. */
  readonly nodes: readonly [Records, ...Records[]];
  close(): Promise<void>;
}

let template: Promise<string> | undefined;

/** The name of a database with all tables; copying one takes far less time than to migrate it. */
async function migratedTemplate(): Promise<string> {
  const server = await sharedPostgres();
  template ??= server.newDatabase().then(async (name) => {
    await migratePostgres(server.urlOf(name));
    return name;
  });
  return template;
}

/** A new database with all tables and no rows. */
export async function newTestDatabase(): Promise<{ database: string; url: string }> {
  const server = await sharedPostgres();
  const database = await server.newDatabase(await migratedTemplate());
  return { database, url: server.urlOf(database) };
}

export async function openTestPostgres(
  count = 3,
  options: Omit<PostgresRecordsOptions, "url"> = {},
): Promise<TestPostgres> {
  const { database, url } = await newTestDatabase();
  const others = Array.from({ length: count - 1 }, () => openPostgresRecords({ url, ...options }));
  const nodes = [openPostgresRecords({ url, ...options }), ...others] as const;
  return {
    url,
    database,
    nodes,
    async close() {
      await Promise.all(nodes.map((records) => records.close()));
    },
  };
}
