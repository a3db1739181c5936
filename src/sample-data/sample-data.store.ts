import type { Sql } from "#engines/records/schema.ts";

/** The numbers of links by their ids. Clicks name links by number, which the links service doesn't return. */
export async function findLinkNumbers(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.selectFrom("links").select(["id", "no"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, no }) => [id, no]));
}
