import { clickTexts } from "./click-fields.ts";
import { ForeignClicks } from "./clicks-engine.ts";
import { literal, type Session } from "./duckdb-session.ts";

const SCHEMA_VERSION = 1;

const texts = clickTexts.map((name) => `${name} varchar`).join(", ");

/** `link_no` 0 means the whole account; link numbers start at 1. */
export const ACCOUNT_LINK_NO = 0;

const tables = `
create table schema_version (version integer not null);
insert into schema_version values (${SCHEMA_VERSION});

create table clicks (
  at_ms bigint not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  visitor ubigint, ${texts}
);

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

create table compacted_clicks (
  slot uinteger not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null, ${texts},
  clicks uinteger not null
);
create table compacted_visitors (
  day uinteger not null, account_no uinteger not null, link_no uinteger not null, with_bots boolean not null,
  clicks uinteger not null, visitors uinteger not null
);
`;

// How many links and accounts had been erased when the file was last rewritten. Older releases work without the table,
// so it needs no new schema version.
const REWRITES = "create table if not exists rewrites (erased bigint not null)";

/** Creates the tables in a new file; rejects files written by a newer release. */
export async function prepareSchema(session: Session): Promise<void> {
  const [found] = await session.rows(
    "select count(*)::integer from duckdb_tables() where table_name = 'schema_version'",
  );
  if (found?.[0] === 0) {
    await session.run(`begin; ${tables} ${REWRITES}; commit`);
    return;
  }
  const [row] = await session.rows("select max(version) from schema_version");
  if (row?.[0] !== SCHEMA_VERSION) throw new Error(`the clicks file has version ${row?.[0]}, not ${SCHEMA_VERSION}`);
  await session.run(REWRITES);
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
