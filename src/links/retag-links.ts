import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { foldCase, renameTag } from "./link-fields.ts";
import { deleteTagChange, findTagChange, listLinksWithTag, moveTagChange, type TagChangeRow } from "./tags.store.ts";
import type { LinkUpdates } from "./update-link.ts";

// Each takes a few tenths of a millisecond, during which nothing else runs on the event loop.
const LINKS_A_SLICE = 20;

interface Retagging {
  readonly caller: Caller;
  readonly change: Pick<TagChangeRow, "account_no" | "tag">;
  readonly updates: Pick<LinkUpdates, "editTags">;
  readonly now: number;
}

/**
 * Changes some links of a tag that is renamed or removed, each as a single update would, and returns whether there are
 * more. How far it came is stored with them, so it goes on there after a kill.
 */
export async function changeSomeLinks(tx: Sql, { caller, change, updates, now }: Retagging): Promise<boolean> {
  const found = await findTagChange(tx, change);
  if (!found) return false;
  const { account_no: accountNo, tag, name, after_no: afterNo } = found;
  const links = await listLinksWithTag(tx, { accountNo, tag, afterNo, most: LINKS_A_SLICE });
  for (const { id } of links) await updates.editTags(caller, id, (tags) => renameTag(tags, tag, name))(tx, now);
  const last = links.at(-1);
  if (last) {
    await moveTagChange(tx, change, last.no);
    return true;
  }
  // Links that were given the old tag meanwhile may have lower numbers. Those that are only spelled anew still have it.
  const isLeft = name === null || foldCase(name) !== tag;
  if (isLeft && afterNo > 0 && (await listLinksWithTag(tx, { accountNo, tag, afterNo: 0, most: 1 })).length > 0) {
    await moveTagChange(tx, change, 0);
    return true;
  }
  await deleteTagChange(tx, change);
  return false;
}
