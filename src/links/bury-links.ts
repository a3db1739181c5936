import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { buryLink, selectLinkRows } from "./links.store.ts";

/** Deletes some of an account's links, as their deletion one by one would, and returns how many. */
export async function buryLinksOf(tx: Sql, accountNo: number, most: number, at: number): Promise<number> {
  const rows = await selectLinkRows(tx).where("links.account_no", "=", accountNo).limit(most).execute();
  for (const row of rows) {
    await buryLink(tx, row, at);
    await appendChange(tx, row.slug, at);
  }
  return rows.length;
}
