import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Sql } from "#engines/records/schema.ts";
import { slugOf } from "#kernel/link-key.ts";
import { deleteDeleted, listDeletedUpTo } from "./deleted-links.store.ts";
import { TRASH_MS } from "./link-record.ts";
import { eraseClicksOf } from "./links.store.ts";

/** Part of housekeeping: erases links that have been in the trash long enough, and returns how many. */
export async function eraseOldTrash(tx: Sql, now: number, most: number): Promise<number> {
  const rows = await listDeletedUpTo(tx, now - TRASH_MS, most);
  await eraseClicksOf(tx, rows);
  await deleteDeleted(tx, rows);
  for (const { account_no, id, key } of rows) {
    const system = { accountNo: account_no, actor: "system", via: "server" } as const;
    await appendLinkAudit(tx, system, { at: now, action: "link.erased", link: { id, slug: slugOf(key) } });
  }
  return rows.length;
}
