import { textGroups } from "../click-format.ts";
import { ForeignClicks } from "../clicks-engine.ts";
import { DAY_MS } from "../slots.ts";
import { int, literal, type Session } from "./session.ts";

/** `link_no` 0 means the whole account; link numbers start at 1. */
export const ACCOUNT_LINK_NO = 0;

/** The columns of `clicks` and `compacted_clicks` that refer to texts. */
const shapeNumbers = textGroups.map(({ name }) => `${name}_no uinteger not null`).join(", ");

/**
 * Makes a visitor of one day differ from those of all others. A distinct count over many days then needs one column, not
 * two, which takes half the time. (The journal's number differs by day anyway, unless someone sets the clock back.)
 */
export const visitorOfDay = (visitor: string, day = `at_ms // ${DAY_MS}`): string =>
  `xor(${visitor}, (${day})::ubigint << ${VISITOR_DAY_BIT})`;

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

-- Clicks that others have counted; see \`Cut\`.
create table imported_clicks (
  slot uinteger not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  qr boolean not null, ${shapeNumbers}, clicks uinteger not null, has_hour boolean not null, known uinteger not null,
  earlier uinteger not null, all_known uinteger not null
);

-- The same by visitor, who is never one of \`clicks\`.
create table imported_visits (
  slot uinteger not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  qr boolean not null, ${shapeNumbers}, visitor ubigint, clicks uinteger not null
);

create table imported_visitors (
  day uinteger not null, account_no uinteger not null, link_no uinteger not null, with_bots boolean not null,
  clicks uinteger not null, visitors uinteger not null
);
create table imported_batches (account_no uinteger not null, import varchar not null, no uinteger not null);

-- How many links and accounts had been erased when the file was last rewritten.
create table rewrites (erased bigint not null);
`;

/** Creates the tables in a new file. */
export async function createTables(session: Session, version: number): Promise<void> {
  const insert = `insert into schema_version values (${int(version)})`;
  await session.run(`begin; ${otherTables} ${clickTables} ${insert}; commit`);
}

/** `null` for a new file. */
export async function findVersion(session: Session): Promise<number | null> {
  if (!(await hasTable(session, "schema_version"))) return null;
  const [row] = await session.rows("select max(version)::double from schema_version");
  return Number(row?.[0]);
}

export async function hasTable(session: Session, name: string): Promise<boolean> {
  const [found] = await session.rows("select count(*)::integer from duckdb_tables() where table_name = $1", [name]);
  return found?.[0] === 1;
}

/** A file without an installation id (new, or older than this rule) is claimed by the first one that opens it. */
export async function claimFile(session: Session, path: string, installation: string): Promise<void> {
  await session.run("create table if not exists installation (id varchar not null)");
  const [row] = await session.rows("select id from installation");
  if (row === undefined) await session.run(`insert into installation values (${literal(installation)})`);
  else refuseOther(path, row[0], installation);
}

/** The same check, for a file that must stay as it is. */
export async function checkClaim(session: Session, path: string, installation: string): Promise<void> {
  if (!(await hasTable(session, "installation"))) return;
  const [row] = await session.rows("select id from installation");
  if (row !== undefined) refuseOther(path, row[0], installation);
}

function refuseOther(path: string, owner: unknown, installation: string): void {
  if (owner !== installation) {
    throw new ForeignClicks(
      `${path} holds the clicks of another installation than records.db; bring back the file that belongs to these ` +
        "records, or move it and the journal away to begin without clicks",
    );
  }
}
