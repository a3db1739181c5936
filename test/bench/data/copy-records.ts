import { Database } from "bun:sqlite";
import { join } from "node:path";
import pg from "pg";
import { migratePostgres } from "#engines/records/migrate-postgres.ts";
import type { PostgresServer } from "#test/support/postgres-server.ts";

const TABLES = ["accounts", "links", "link_tags", "link_counts"];
const NUMBERED = ["accounts", "links"];
const ROWS_PER_STATEMENT = 2000;

/** Copies accounts and links of a data directory into a new database; returns its name. */
export async function copyRecords(dataDir: string, postgres: PostgresServer): Promise<string> {
  const database = await postgres.newDatabase();
  await migratePostgres(postgres.urlOf(database));
  const source = new Database(join(dataDir, "records.db"), { readonly: true });
  const target = new pg.Client(postgres.adminUrlOf(database));
  await target.connect();
  try {
    // Triggers would add rows that are copied, too.
    await target.query("set session_replication_role = replica");
    await target.query("set synchronous_commit = off");
    // Far faster built at the end than row by row.
    const { rows } = await target.query("select pg_get_indexdef('links_text_idx'::regclass) as definition");
    await target.query("drop index links_text_idx");
    for (const table of TABLES) await copyTable(table, source, target);
    await target.query(rows[0].definition);
    for (const table of NUMBERED)
      await target.query(`select setval(pg_get_serial_sequence('${table}', 'no'), max(no)) from ${table}`);
    await target.query("vacuum (analyze)");
    await target.query("checkpoint");
  } finally {
    source.close();
    await target.end();
  }
  return database;
}

async function copyTable(table: string, source: Database, target: pg.Client): Promise<void> {
  let rows: object[] = [];
  const insert = async (): Promise<void> => {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first).join(", ");
    await target.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
    rows = [];
  };
  for (const row of source.query(`select * from ${table}`).iterate()) {
    rows.push(row as object);
    if (rows.length === ROWS_PER_STATEMENT) await insert();
  }
  await insert();
}
