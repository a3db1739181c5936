import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { deleteLink, findLinksOfAccount } from "./links.store.ts";

/** Deletes up to `most` links of an account that is being removed, and returns how many. */
export async function deleteAccountLinks(tx: Sql, accountNo: number, most: number, at: number): Promise<number> {
  const rows = await findLinksOfAccount(tx, accountNo, most);
  for (const row of rows) {
    await deleteLink(tx, row, at);
    await appendChange(tx, row.key, at);
  }
  return rows.length;
}
