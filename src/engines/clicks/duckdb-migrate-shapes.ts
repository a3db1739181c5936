import type { Session } from "./duckdb-session.ts";
import { DAY_MS } from "./slots.ts";

// As they were in this version, whatever becomes of the format later.
const groups = [
  { name: "place", table: "places", texts: ["country", "region", "city"] },
  { name: "client", table: "clients", texts: ["language", "device", "browser", "os"] },
  { name: "referrer", table: "referrers", texts: ["referrer"] },
  {
    name: "campaign",
    table: "campaigns",
    texts: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
  },
] as const;

const VISITOR = `xor(c.visitor, (c.at_ms // ${DAY_MS})::ubigint << 44)`;

const SHAPE_COLUMNS = groups.map(({ name }) => `${name}_no uinteger not null`).join(", ");
const SHAPE_VALUES = groups.map(({ table }) => `${table}.no`).join(", ");
const SHARED_COLUMNS =
  "account_no uinteger not null, link_no uinteger not null, bot boolean not null, qr boolean not null";
const SHARED_VALUES = "c.account_no, c.link_no, c.bot, coalesce(c.source = 'qr', false)";

const tables = [
  {
    table: "clicks",
    columns: `at_ms bigint not null, ${SHARED_COLUMNS}, visitor ubigint, ${SHAPE_COLUMNS}`,
    values: `c.at_ms, ${SHARED_VALUES}, ${VISITOR}, ${SHAPE_VALUES}`,
  },
  {
    table: "compacted_clicks",
    columns: `slot uinteger not null, ${SHARED_COLUMNS}, ${SHAPE_COLUMNS}, clicks uinteger not null`,
    values: `c.slot, ${SHARED_VALUES}, ${SHAPE_VALUES}, c.clicks`,
  },
];

/** Version 2: texts get tables of their own, and clicks refer to them by number. Call in a transaction. */
export async function migrateToShapes(session: Session): Promise<void> {
  // Older than the table.
  await session.run("create table if not exists rewrites (erased bigint not null)");
  for (const { table, texts } of groups) {
    const list = texts.join(", ");
    await session.run(`
      create table ${table} as
      select (row_number() over () - 1)::uinteger as no, * from (
        select distinct ${list} from clicks union select distinct ${list} from compacted_clicks
      )`);
    await session.run(`alter table ${table} alter column no set not null`);
  }
  const joins = groups
    .map(
      ({ table, texts }) =>
        `join ${table} on ${texts.map((one) => `${table}.${one} is not distinct from c.${one}`).join(" and ")}`,
    )
    .join("\n");
  for (const { table, columns, values } of tables) {
    await session.run(`alter table ${table} rename to old_${table}`);
    await session.run(`create table ${table} (${columns})`);
    await session.run(`insert into ${table} select ${values} from old_${table} c ${joins}`);
    await session.run(`drop table old_${table}`);
  }
}
