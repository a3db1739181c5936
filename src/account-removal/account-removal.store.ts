import type { Sql } from "#engines/records/schema.ts";

/** Suspends the account at once, and deletes everything that gives access to it. */
export async function markRemoved(tx: Sql, accountNo: number, accountId: string, at: number): Promise<void> {
  await tx.updateTable("accounts").set({ removed_at: at, suspended_at: at }).where("no", "=", accountNo).execute();
  await tx.deleteFrom("members").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("invitations").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("tokens").where("account_no", "=", accountNo).execute();
  // Nothing more is sent; what was sent is deleted with the events.
  await tx
    .updateTable("webhook_endpoints")
    .set({ disabled_at: at, disabled_by: "owner", takes_clicks: 0 })
    .where("account_no", "=", accountNo)
    .execute();
}

/** The accounts that were marked, oldest first. */
export async function listRemoved(sql: Sql): Promise<number[]> {
  const rows = await sql
    .selectFrom("accounts")
    .select("no")
    .where("removed_at", "is not", null)
    .orderBy("removed_at")
    .execute();
  return rows.map(({ no }) => no);
}

export const loggedTables = ["webhook_events", "audit_log", "link_audit"] as const;

/** Deletes up to `most` rows, and returns how many. */
export async function deleteRowsOf(
  tx: Sql,
  table: (typeof loggedTables)[number],
  accountNo: number,
  most: number,
): Promise<number> {
  const rows = tx.selectFrom(table).select("no").where("account_no", "=", accountNo).limit(most);
  const { numDeletedRows } = await tx.deleteFrom(table).where("no", "in", rows).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function deleteAccount(tx: Sql, accountNo: number): Promise<void> {
  // All clicks of the account are erased by now, including those of single links that were still queued.
  await tx.deleteFrom("click_erasures").where("account_no", "=", accountNo).execute();
  await tx.deleteFrom("accounts").where("no", "=", accountNo).execute();
}
