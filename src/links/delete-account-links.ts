import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { deleteTrashOf } from "./deleted-links.store.ts";
import { buryLink, eraseClicksOf, findLinksOfAccount } from "./links.store.ts";

/** Deletes up to `most` links of an account that is being removed, and as many in its trash; returns how many. */
export async function deleteAccountLinks(tx: Sql, accountNo: number, most: number, at: number): Promise<number> {
  const rows = await findLinksOfAccount(tx, accountNo, most);
  for (const row of rows) {
    await buryLink(tx, row, at);
    await appendChange(tx, row.key, at);
  }
  await eraseClicksOf(tx, rows);
  // Their clicks are erased with all others of the account.
  return rows.length + (await deleteTrashOf(tx, accountNo, most));
}
