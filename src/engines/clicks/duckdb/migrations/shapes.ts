import { DAY_MS } from "../../slots.ts";
import { hasTable } from "../schema.ts";
import { inTransaction, int, type Session } from "../session.ts";
import type { Migration } from "./migration.ts";

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

const SLOT_MS = 900_000;

interface MigratedTable {
  readonly table: string;
  readonly columns: string;
  readonly values: string;
  /** When a row of it was, by which it is divided into steps. */
  readonly atMs: string;
}

const tables: readonly MigratedTable[] = [
  {
    table: "clicks",
    columns: `at_ms bigint not null, ${SHARED_COLUMNS}, visitor ubigint, ${SHAPE_COLUMNS}`,
    values: `c.at_ms, ${SHARED_VALUES}, ${VISITOR}, ${SHAPE_VALUES}`,
    atMs: "c.at_ms",
  },
  {
    table: "compacted_clicks",
    columns: `slot uinteger not null, ${SHARED_COLUMNS}, ${SHAPE_COLUMNS}, clicks uinteger not null`,
    values: `c.slot, ${SHARED_VALUES}, ${SHAPE_VALUES}, c.clicks`,
    atMs: `c.slot::bigint * ${SLOT_MS}`,
  },
];

const joins = groups
  .map(
    ({ table, texts }) =>
      `join ${table} on ${texts.map((one) => `${table}.${one} is not distinct from c.${one}`).join(" and ")}`,
  )
  .join("\n");

const VERSION = 2;

const oldOf = (table: string): string => `old_${table}`;

/** Version 2: texts get tables of their own, and clicks refer to them by number. */
export const shapesMigration: Migration = {
  version: VERSION,
  isUnfinished: (session) => hasTable(session, "migrated"),

  async count(session) {
    const isBegun = await hasTable(session, "migrated");
    let [done, total] = [0, 0];
    for (const { table } of tables) {
      total += await countRows(session, isBegun ? oldOf(table) : table);
      if (isBegun) done += await countRows(session, table);
    }
    return { done, total };
  },

  async run(session, { onProgress, stepRows }) {
    if (!(await hasTable(session, "migrated"))) await inTransaction(session, "begin", begin);
    const { done: before, total } = await this.count(session);
    let done = before;
    for (const table of tables) {
      for (const { fromDay, toDay, rows } of await findSteps(session, table, stepRows)) {
        await inTransaction(session, "begin", () => copyDays(session, table, fromDay, toDay));
        done += rows;
        onProgress({ done, total });
      }
    }
    await inTransaction(session, "begin", async () => {
      for (const { table } of tables) await session.run(`drop table ${oldOf(table)}`);
      await session.run("drop table migrated");
    });
  },
};

async function countRows(session: Session, table: string): Promise<number> {
  const [row] = await session.rows(`select count(*)::double from ${table}`);
  return Number(row?.[0]);
}

/** How many clicks a file holds whose migration has begun; `null` for other files. */
export async function countUnmigrated(
  session: Session,
): Promise<{ rows: number; compactedClicks: number; importedClicks: number } | null> {
  if (!(await hasTable(session, "migrated"))) return null;
  const [row] = await session.rows(`select coalesce(sum(clicks), 0)::double from ${oldOf("compacted_clicks")}`);
  return { rows: await countRows(session, oldOf("clicks")), compactedClicks: Number(row?.[0]), importedClicks: 0 };
}

async function begin(session: Session): Promise<void> {
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
  for (const { table, columns } of tables) {
    await session.run(`alter table ${table} rename to ${oldOf(table)}`);
    await session.run(`create table ${table} (${columns})`);
  }
  await session.run("create table migrated (name varchar not null, to_day bigint not null)");
  await session.run(`insert into schema_version values (${VERSION})`);
}

interface Step {
  readonly fromDay: number;
  /** Exclusive. */
  readonly toDay: number;
  readonly rows: number;
}

/** What is left of a table, by whole days. */
async function findSteps(session: Session, { table, atMs }: MigratedTable, stepRows: number): Promise<Step[]> {
  const days = await session.rows(
    `select (${atMs} // ${DAY_MS})::double as day, count(*)::double from ${oldOf(table)} c
    where ${atMs} >= (select coalesce(max(to_day), 0) * ${DAY_MS} from migrated where name = $1)
    group by day order by day`,
    [table],
  );
  const steps: Step[] = [];
  for (const [day, count] of days.map((row) => row.map(Number) as [number, number])) {
    const last = steps.at(-1);
    if (last === undefined || last.rows + count > stepRows) {
      steps.push({ fromDay: day, toDay: day + 1, rows: count });
    } else steps.splice(-1, 1, { fromDay: last.fromDay, toDay: day + 1, rows: last.rows + count });
  }
  return steps;
}

async function copyDays(
  session: Session,
  { table, values, atMs }: MigratedTable,
  fromDay: number,
  toDay: number,
): Promise<void> {
  await session.run(`
    insert into ${table} select ${values} from ${oldOf(table)} c ${joins}
    where ${atMs} >= ${int(fromDay * DAY_MS)} and ${atMs} < ${int(toDay * DAY_MS)}`);
  await session.run(`insert into migrated values ($1, ${int(toDay)})`, [table]);
}
