import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

const selectGuards = statement((sql, { no }: { no: number }) =>
  sql
    .selectFrom("links")
    .innerJoin("link_counts", "link_counts.link_no", "links.no")
    .select(["links.password_hash", "links.settings", "link_counts.used_clicks"])
    .where("links.no", "=", no),
);

export const findGuards = async (sql: Sql, no: number) => (await selectGuards(sql, { no }))[0];

const takeOne = statement((sql, { no, max }: { no: number; max: number }) =>
  sql
    .updateTable("link_counts")
    .set((eb) => ({ used_clicks: eb("used_clicks", "+", 1) }))
    .where("link_no", "=", no)
    .where("used_clicks", "<", max)
    .returning("used_clicks"),
);

/** How many are left, or `null` if there was none. */
export async function takeClick(tx: Sql, no: number, max: number): Promise<number | null> {
  const [taken] = await takeOne(tx, { no, max });
  return taken ? max - taken.used_clicks : null;
}
