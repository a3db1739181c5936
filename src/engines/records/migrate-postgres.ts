import type pg from "pg";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import type { MigrationReport } from "./migration-report.ts";
import { migrations } from "./migrations/all.ts";
import type { Migration } from "./migrations/migration.ts";
import { POSTGRES_BASELINE_ID, postgresBaseline } from "./migrations/postgres-baseline.ts";
import { connectOnce } from "./postgres-connect.ts";
import { sqlStateOf } from "./postgres-errors.ts";

const VERSION_MIN = 15;
const EXTENSIONS = ["pg_trgm", "btree_gin"] as const;
const NOT_ALLOWED = "42501";
const NOT_INSTALLED = new Set(["0A000", "58P01", "22023"]);

/**
 * Migrates the database to the newest schema, all steps in one transaction. However many nodes start at once, one of them
 * does it: the others wait for its lock, and find nothing left to do.
 */
export async function migratePostgres(url: string): Promise<MigrationReport> {
  const client = await connectOnce(url);
  try {
    await assertVersion(client);
    await client.query("begin isolation level read committed");
    await client.query("select pg_advisory_xact_lock(7813490518426108)");
    const report = await migrate(client);
    await client.query("commit");
    return report;
  } finally {
    await client.end();
  }
}

async function migrate(client: pg.Client): Promise<MigrationReport> {
  await client.query(
    "create table if not exists migrations (id bigint primary key, name text not null, applied_at bigint not null)",
  );
  const newest = migrations.at(-1)?.id ?? 0;
  const { rows } = await client.query("select coalesce(max(id), 0)::integer as version from migrations");
  const version = rows[0].version as number;
  if (version > newest) {
    throw new OperatorMistake(`the data was written by a newer Kurz (schema ${version}, this one knows ${newest})`);
  }
  const applied = migrations.filter(({ id }) => id > version);
  if (version === 0) {
    for (const name of EXTENSIONS) await createExtension(client, name);
    await client.query(postgresBaseline);
  }
  for (const step of applied) {
    if (step.id > POSTGRES_BASELINE_ID) await client.query(textOf(step));
    await client.query("insert into migrations (id, name, applied_at) values ($1, $2, $3)", [
      step.id,
      step.name,
      Date.now(),
    ]);
  }
  return { applied: applied.map(({ name }) => name), version: newest };
}

function textOf({ name, postgres }: Migration): string {
  if (postgres === undefined) throw new Error(`the migration "${name}" has no text for PostgreSQL`);
  return postgres;
}

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::integer as number");
  const version = Math.floor((rows[0].number as number) / 10_000);
  if (version < VERSION_MIN) {
    throw new OperatorMistake(`DATABASE_URL: PostgreSQL ${version} is too old; Kurz needs ${VERSION_MIN} or newer`);
  }
}

/** Any owner of the database may create these two, unless its operator has forbidden that. */
async function createExtension(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create extension if not exists ${name}`);
  } catch (error) {
    const state = sqlStateOf(error) ?? "";
    const { user, database } = client;
    if (state === NOT_ALLOWED) {
      throw new OperatorMistake(
        `DATABASE_URL: "${user}" may not create the extension ${name}, which searches need; as a superuser, run ` +
          `CREATE EXTENSION ${name}; in the database "${database}"`,
        { cause: error },
      );
    }
    if (NOT_INSTALLED.has(state)) {
      throw new OperatorMistake(
        `DATABASE_URL: the server lacks the extension ${name}, which searches need; install PostgreSQL's contrib package`,
        { cause: error },
      );
    }
    throw error;
  }
}
