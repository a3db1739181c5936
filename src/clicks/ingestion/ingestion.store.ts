import { sql as raw } from "kysely";
import { hasArrays } from "#engines/records/engine-kind.ts";
import { joinByIndex } from "#engines/records/join-by-index.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement, statementForEach } from "#engines/records/statement.ts";

/** What a batch of clicks adds to the counters of one link. */
export interface CountRow {
  readonly no: number;
  readonly clicks: number;
  readonly lastAt: number;
}

/** Clicks on a link that was erased meanwhile change no row; one in the trash may come back. Each link occurs once. */
export async function addCounts(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  if (!hasArrays(tx)) {
    await addOneByOne(tx, rows);
    if (await hasDeletedLinks(tx)) await addOneByOneToDeleted(tx, rows);
    return;
  }
  const added = {
    nos: rows.map(({ no }) => no),
    clicks: rows.map(({ clicks }) => clicks),
    lastAts: rows.map(({ lastAt }) => lastAt),
  };
  await Promise.all([joinByIndex(tx), addTogether(tx, added), addTogetherToDeleted(tx, added)]);
}

interface AddedCounts {
  readonly nos: readonly number[];
  readonly clicks: readonly number[];
  readonly lastAts: readonly number[];
}

const unnested = ({ nos, clicks, lastAts }: AddedCounts) =>
  raw<{ no: number; clicks: number; last_at: number }>`
    unnest(${nos}::bigint[], ${clicks}::bigint[], ${lastAts}::bigint[])
  `.as<"added">(raw`added(no, clicks, last_at)`);

const sums = {
  click_count: raw<number>`click_count + added.clicks`,
  last_clicked_at: raw<number>`greatest(last_clicked_at, added.last_at)`,
};

const addTogether = statement((db, added: AddedCounts) =>
  db.updateTable("link_counts").from(unnested(added)).set(sums).whereRef("link_no", "=", "added.no"),
);

const addTogetherToDeleted = statement((db, added: AddedCounts) =>
  db.updateTable("deleted_links").from(unnested(added)).set(sums).whereRef("deleted_links.no", "=", "added.no"),
);

const sumsOfOne = ({ clicks, lastAt }: CountRow) => ({
  click_count: raw<number>`click_count + ${clicks}`,
  last_clicked_at: raw<number>`max(last_clicked_at, ${lastAt})`,
});

const addOneByOne = statementForEach((db, row: CountRow) =>
  db.updateTable("link_counts").set(sumsOfOne(row)).where("link_no", "=", row.no),
);

const addOneByOneToDeleted = statementForEach((db, row: CountRow) =>
  db.updateTable("deleted_links").set(sumsOfOne(row)).where("no", "=", row.no),
);

const selectAnyDeleted = statement((db, _: object) => db.selectFrom("deleted_links").select("no").limit(1));

const hasDeletedLinks = async (sql: Sql): Promise<boolean> => (await selectAnyDeleted(sql, {})).length > 0;

/** All clicks counted on links, but for those in the trash. Goes through every link. */
export async function sumCounts(sql: Sql): Promise<number> {
  const { counted } = await sql
    .selectFrom("link_counts")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("click_count"), eb.lit(0)).as("counted"))
    .executeTakeFirstOrThrow();
  return Number(counted);
}

export const savePosition = statement((db, { segment, position }: { segment: string; position: number }) =>
  db
    .insertInto("click_positions")
    .values({ segment, position })
    .onConflict((on) => on.column("segment").doUpdateSet({ position })),
);

export async function findPosition(sql: Sql, segment: string): Promise<number | undefined> {
  const query = sql.selectFrom("click_positions").select("position").where("segment", "=", segment);
  return (await query.executeTakeFirst())?.position;
}

/** How far imports have come is kept beside the segments. No file's name has a slash. */
export const IMPORT_PREFIX = "import/";

/** Of segments whose names start like that: others are in the journals of other nodes. */
export async function deletePositionsExcept(tx: Sql, segments: readonly string[], prefix: string): Promise<void> {
  const others = tx
    .deleteFrom("click_positions")
    .where("segment", "not in", segments)
    .where("segment", "not like", `${IMPORT_PREFIX}%`);
  const own = others.where((eb) => eb(eb.fn("substr", ["segment", eb.val(1), eb.val(prefix.length)]), "=", prefix));
  await (prefix === "" ? others : own).execute();
}

export async function insertRun(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  await tx
    .insertInto("link_count_runs")
    .values({ rows: JSON.stringify(rows) })
    .execute();
}

export const hasRuns = async (sql: Sql): Promise<boolean> =>
  (await sql.selectFrom("link_count_runs").select("no").limit(1).executeTakeFirst()) !== undefined;

/** The first run, which is gone with the transaction; of two that take it at once, one gets nothing. */
export async function takeFirstRun(tx: Sql): Promise<readonly CountRow[] | undefined> {
  const run = await tx
    .deleteFrom("link_count_runs")
    .where("no", "=", (eb) => eb.selectFrom("link_count_runs").select("no").orderBy("no").limit(1))
    .returning("rows")
    .executeTakeFirst();
  return run && (JSON.parse(run.rows) as CountRow[]);
}

const findErasures = statement((db, { most }: { most: number }) =>
  db.selectFrom("click_erasures").selectAll().limit(most),
);

/** Deleted links whose clicks are still to be erased. */
export async function listErasures(sql: Sql, most: number): Promise<{ accountNo: number; linkNo: number }[]> {
  const rows = await findErasures(sql, { most });
  return rows.map(({ account_no, link_no }) => ({ accountNo: account_no, linkNo: link_no }));
}

export async function deleteErasures(tx: Sql, linkNumbers: readonly number[]): Promise<void> {
  await tx.deleteFrom("click_erasures").where("link_no", "in", linkNumbers).execute();
}
