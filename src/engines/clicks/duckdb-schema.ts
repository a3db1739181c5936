import { statfsSync, statSync } from "node:fs";
import { textGroups } from "./click-format.ts";
import { ClicksUnavailable, ForeignClicks } from "./clicks-engine.ts";
import { migrateToShapes } from "./duckdb-migrate-shapes.ts";
import { inTransaction, int, literal, type Session } from "./duckdb-session.ts";
import { DAY_MS } from "./slots.ts";

/** `link_no` 0 means the whole account; link numbers start at 1. */
export const ACCOUNT_LINK_NO = 0;

/** The columns of `clicks` and `compacted_clicks` that refer to texts. */
const shapeNumbers = textGroups.map(({ name }) => `${name}_no uinteger not null`).join(", ");

/**
 * Makes a visitor of one day differ from those of all others. A distinct count over many days then needs one column, not
 * two, which takes half the time. (The journal's number differs by day anyway, unless someone sets the clock back.)
 */
export const visitorOfDay = (visitor: string): string =>
  `xor(${visitor}, (at_ms // ${DAY_MS})::ubigint << ${VISITOR_DAY_BIT})`;

const VISITOR_DAY_BIT = 44;

/** Shared by new files and the migration of old ones. */
export const clickTables = `
${textGroups
  .map(
    ({ table, texts }) =>
      `create table ${table} (no uinteger not null, ${texts.map(({ name }) => `${name} varchar`).join(", ")});`,
  )
  .join("\n")}

create table clicks (
  at_ms bigint not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  qr boolean not null, visitor ubigint, ${shapeNumbers}
);

create table compacted_clicks (
  slot uinteger not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  qr boolean not null, ${shapeNumbers}, clicks uinteger not null
);
`;

const otherTables = `
create table schema_version (version integer not null);

-- Rows are only ever added: updates beside open reads would keep DuckDB from shrinking its write-ahead log.
create table ingested (segment varchar not null, position bigint not null);

create table erased_links (account_no uinteger not null, link_no uinteger not null);
create table erased_accounts (account_no uinteger not null);

-- The newest position of a link counts.
create table link_tags (
  position bigint not null, account_no uinteger not null, link_no uinteger not null, tags varchar[] not null
);

-- Whole days of busy accounts and links. A visitor counts once for each slot, beside the slot before on that day.
create table summaries (
  account_no uinteger not null, link_no uinteger not null, slot uinteger not null, previous_slot uinteger,
  visitors uinteger not null, clicks uinteger not null, qr_scans uinteger not null, bot_hits uinteger not null
);
create table summarised (account_no uinteger not null, link_no uinteger not null, day uinteger not null);
create table summarised_days (day uinteger not null);

create table compacted_visitors (
  day uinteger not null, account_no uinteger not null, link_no uinteger not null, with_bots boolean not null,
  clicks uinteger not null, visitors uinteger not null
);

-- How many links and accounts had been erased when the file was last rewritten.
create table rewrites (erased bigint not null);
`;

export interface Migration {
  readonly version: number;
  /** Runs in a transaction. */
  readonly run: (session: Session) => Promise<void>;
}

/** From version to version, in order; a file is brought to the last one when it is opened. */
const migrations: readonly Migration[] = [{ version: 2, run: migrateToShapes }];

const SCHEMA_VERSION = migrations.at(-1)?.version ?? 1;

/** Called before and after each migration, with the number of clicks. */
export type OnMigration = (state: "begins" | "ended", version: number, clicks: number) => void;

/** Creates the tables in a new file, and migrates an old one; rejects files written by a newer release. */
export async function prepareSchema(session: Session, path: string, onMigration?: OnMigration): Promise<void> {
  const [found] = await session.rows(
    "select count(*)::integer from duckdb_tables() where table_name = 'schema_version'",
  );
  if (found?.[0] === 0) {
    const version = `insert into schema_version values (${SCHEMA_VERSION})`;
    await session.run(`begin; ${otherTables} ${clickTables} ${version}; commit`);
    return;
  }
  const [row] = await session.rows("select max(version)::double from schema_version");
  const version = Number(row?.[0]);
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `the clicks file has version ${version}, this release knows ${SCHEMA_VERSION}: it was written later`,
    );
  }
  for (const migration of migrations.filter((one) => one.version > version)) {
    assertRoom(path);
    const [count] = await session.rows("select count(*)::double from clicks");
    const clicks = Number(count?.[0]);
    onMigration?.("begins", migration.version, clicks);
    await inTransaction(session, "begin", async () => {
      await migration.run(session);
      await session.run(`insert into schema_version values (${int(migration.version)})`);
    });
    await session.run("force checkpoint");
    onMigration?.("ended", migration.version, clicks);
  }
}

const ROOM_SHARE = 1.25;
const ROOM_BYTES_MIN = 16 * 1024 * 1024;

/**
 * A migration writes everything once more before the old rows go, and DuckDB doesn't give back what a failed one took: it
 * would leave a full disk behind.
 */
function assertRoom(path: string): void {
  const needed = statSync(path).size * ROOM_SHARE + ROOM_BYTES_MIN;
  const { bavail, bsize } = statfsSync(path);
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
  if (bavail * bsize < needed) {
    throw new ClicksUnavailable(
      `${path} has to be migrated, which needs ${megabytes(needed)} of free disk space; there are ` +
        `${megabytes(bavail * bsize)}`,
    );
  }
}

/** A file without an installation id (new, or older than this rule) is claimed by the first one that opens it. */
export async function claimFile(session: Session, path: string, installation: string): Promise<void> {
  await session.run("create table if not exists installation (id varchar not null)");
  const [row] = await session.rows("select id from installation");
  if (row === undefined) await session.run(`insert into installation values (${literal(installation)})`);
  else if (row[0] !== installation) {
    throw new ForeignClicks(
      `${path} holds the clicks of another installation than records.db; bring back the file that belongs to these ` +
        "records, or move it and the journal away to begin without clicks",
    );
  }
}
