import type { Sql } from "#engines/records/schema.ts";

/** Deletes up to `most` expired rows, and returns how many. */
export async function deleteExpired(
  tx: Sql,
  table: "sessions" | "verifications" | "invitations",
  now: number,
  most: number,
): Promise<number> {
  const expired = tx.selectFrom(table).select("id").where("expires_at", "<", new Date(now).toISOString()).limit(most);
  const { numDeletedRows } = await tx.deleteFrom(table).where("id", "in", expired).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes up to `most` failed sign-ins from the audit log, and returns how many. */
export async function deleteRefusals(tx: Sql, before: number, most: number): Promise<number> {
  const refusals = tx
    .selectFrom("audit_log")
    .select("no")
    .where("account_no", "is", null)
    .where("at", "<", before)
    .where("action", "=", "session.refused")
    .limit(most);
  const { numDeletedRows } = await tx.deleteFrom("audit_log").where("no", "in", refusals).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
