import type { Sql } from "#engines/records/schema.ts";

const REFUSALS_KEPT_MS = 90 * 86_400_000;

/** Deletes some of what has ended: sessions, challenges, invitations and old refusals. Returns how many rows. */
export async function pruneSignIn(tx: Sql, now: number, most: number): Promise<number> {
  const nowText = new Date(now).toISOString();
  let count = 0;
  for (const table of ["sessions", "verifications", "invitations"] as const) {
    const ended = tx.selectFrom(table).select("id").where("expires_at", "<", nowText).limit(most);
    count += Number((await tx.deleteFrom(table).where("id", "in", ended).executeTakeFirstOrThrow()).numDeletedRows);
  }
  const refusals = tx
    .selectFrom("audit_log")
    .select("no")
    .where("account_no", "is", null)
    .where("at", "<", now - REFUSALS_KEPT_MS)
    .where("action", "=", "session.refused")
    .limit(most);
  const { numDeletedRows } = await tx.deleteFrom("audit_log").where("no", "in", refusals).executeTakeFirstOrThrow();
  return count + Number(numDeletedRows);
}
