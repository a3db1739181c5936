import type pg from "pg";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import type { MigrationReport } from "../migration-report.ts";
import { migrations as knownMigrations } from "../migrations/all.ts";
import type { Migration } from "../migrations/migration.ts";
import { POSTGRES_BASELINE_ID, postgresBaseline } from "../migrations/postgres-baseline.ts";
import { RecordsUnavailable } from "../records.ts";
import { connectOnce } from "./connect.ts";
import { sqlStateOf, toRecordsError } from "./errors.ts";
import { firstRow, type PostgresSchema, readSchema } from "./facts.ts";
import { newerSchemaProblem } from "./newer-schema.ts";

const VERSION_MIN = 15;
const EXTENSIONS = ["pg_trgm", "btree_gin"] as const;
const NOT_ALLOWED = "42501";
const NOT_INSTALLED = new Set(["0A000", "58P01", "22023"]);
const LOCKED = "55P03";

/** Held while a node migrates. */
export const MIGRATION_LOCK = "7813490518426108";

// Another node that migrates may have much to rewrite. One that was cut off in between is given up by the server.
const OTHER_NODE_MS_MAX = 60_000;
const IDLE_MS_MAX = 30_000;
const TABLE_MS_MAX = 5000;

/**
 * Migrates the database to the newest schema. However many nodes start at once, each step is taken once: the others wait
 * for the lock, and find it done. During an upgrade a node may find a newer schema than it knows, and goes on if all
 * steps it doesn't know say that it can.
 */
export async function migratePostgres(
  url: string,
  migrations: readonly Migration[] = knownMigrations,
): Promise<MigrationReport> {
  const newest = migrations.at(-1)?.id ?? 0;
  const client = await connectOnce(url);
  try {
    await assertVersion(client);
    // Without a lock: a dump holds every table for as long as it takes, and nodes must be able to start meanwhile.
    const found = await readSchema(client);
    if (found !== undefined && found.version >= newest) return acceptSchema(found, newest);
    const applied: string[] = [];
    for (;;) {
      const taken = await takeSteps(client, migrations, newest);
      applied.push(...taken.applied);
      if (taken.version >= newest) return { applied, version: taken.version };
    }
  } finally {
    await client.end();
  }
}

/** A transaction of its own, with its own lock: a pooler may give the next one another connection. */
async function takeSteps(
  client: pg.Client,
  migrations: readonly Migration[],
  newest: number,
): Promise<MigrationReport> {
  try {
    await client.query(
      `begin isolation level read committed; set local lock_timeout = ${OTHER_NODE_MS_MAX}; ` +
        `set local idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`,
    );
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    // Whoever waits for a table makes all later look-ups in it wait, too.
    await client.query(`set local lock_timeout = ${TABLE_MS_MAX}`);
    const report = await takeLocked(client, migrations, newest);
    await client.query("commit");
    return report;
  } catch (error) {
    if (error instanceof OperatorMistake) throw error;
    if (sqlStateOf(error) !== LOCKED) throw toRecordsError(error);
    throw new RecordsUnavailable(
      "DATABASE_URL: the schema can't be migrated while another connection uses its tables, such as a dump or a node " +
        "that is migrating; try again when it has ended",
      { cause: error },
    );
  }
}

async function takeLocked(
  client: pg.Client,
  migrations: readonly Migration[],
  newest: number,
): Promise<MigrationReport> {
  const found = await readSchema(client);
  if (found !== undefined && found.version >= newest) return acceptSchema(found, newest);
  const version = found?.version ?? 0;
  await client.query(
    "create table if not exists migrations " +
      "(id bigint primary key, name text not null, applied_at bigint not null, works_from bigint)",
  );
  // Even where there is nothing to add, altering a table waits for a dump of it.
  const hasColumn = "select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'works_from'";
  if ((await client.query(hasColumn)).rowCount === 0) {
    await client.query("alter table migrations add column works_from bigint");
  }
  const applied = nextSteps(migrations, version);
  if (version === 0) {
    for (const name of EXTENSIONS) await createExtension(client, name);
    await client.query(postgresBaseline);
  }
  for (const step of applied) {
    if (step.id > POSTGRES_BASELINE_ID) await client.query(textOf(step));
    await client.query("insert into migrations (id, name, applied_at, works_from) values ($1, $2, $3, $4)", [
      step.id,
      step.name,
      Date.now(),
      step.worksFrom ?? null,
    ]);
  }
  return { applied: applied.map(({ name }) => name), version: applied.at(-1)?.id ?? version };
}

/**
 * Nodes that go on with the schema meanwhile must not wait for a table that one step has locked until another has built
 * an index: each step that they work with is taken alone. All others are taken together or not at all.
 */
export function nextSteps(migrations: readonly Migration[], version: number): readonly Migration[] {
  const due = migrations.filter(({ id }) => id > version);
  const lastThatEndsThem = due.findLastIndex(({ id, worksFrom = id }) => worksFrom > version);
  return due.slice(0, Math.max(lastThatEndsThem + 1, 1));
}

/** There is nothing to do; the schema may even be newer than this release. */
function acceptSchema(schema: PostgresSchema, newest: number): MigrationReport {
  const problem = newerSchemaProblem(schema, newest);
  if (problem !== null) throw new OperatorMistake(problem);
  return { applied: [], version: schema.version };
}

function textOf({ name, postgres }: Migration): string {
  if (postgres === undefined) throw new Error(`the migration "${name}" has no text for PostgreSQL`);
  return postgres;
}

async function assertVersion(client: pg.Client): Promise<void> {
  const row = await firstRow<{ number: number }>(
    client,
    "select current_setting('server_version_num')::integer as number",
  );
  refuseOldVersion(row?.number ?? 0);
}

/** Takes the number as the server gives it: 150006 for 15.6, and 90624 for 9.6.24. */
export function refuseOldVersion(number: number): void {
  if (number >= VERSION_MIN * 10_000) return;
  const version = number < 100_000 ? `9.${Math.floor(number / 100) % 100}` : Math.floor(number / 10_000);
  throw new OperatorMistake(`DATABASE_URL: PostgreSQL ${version} is too old; Kurz needs ${VERSION_MIN} or newer`);
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
