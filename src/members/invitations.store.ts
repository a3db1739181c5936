import type { Insertable } from "kysely";
import type { InvitationsTable, Sql } from "#engines/records/schema.ts";

/** Invitations that were neither used nor have expired. */
export const listPending = (sql: Sql, accountId: string, now: number) =>
  sql
    .selectFrom("invitations")
    .select(["id", "email", "role", "expires_at", "inviter_id"])
    .where("account_id", "=", accountId)
    .where("status", "=", "pending")
    .where("expires_at", ">", new Date(now).toISOString())
    .orderBy("created_at", "desc")
    .execute();

export type InvitationRow = Awaited<ReturnType<typeof listPending>>[number];

export const findPendingWithAccount = (sql: Sql, id: string, now: number) =>
  sql
    .selectFrom("invitations")
    .innerJoin("accounts", "accounts.id", "invitations.account_id")
    .select(["invitations.id", "invitations.email", "invitations.role", "invitations.account_id"])
    .select(["accounts.no", "accounts.name"])
    .where("invitations.status", "=", "pending")
    .where("invitations.expires_at", ">", new Date(now).toISOString())
    .where("invitations.id", "=", id)
    .executeTakeFirst();

/** Replaces an earlier invitation to the same address. Returns the account's name. */
export async function insertInvitation(tx: Sql, row: Insertable<InvitationsTable>): Promise<string> {
  await tx.deleteFrom("invitations").where("account_id", "=", row.account_id).where("email", "=", row.email).execute();
  await tx.insertInto("invitations").values(row).execute();
  const account = await tx
    .selectFrom("accounts")
    .select("name")
    .where("id", "=", row.account_id)
    .executeTakeFirstOrThrow();
  return account.name;
}

export async function markAccepted(tx: Sql, id: string): Promise<void> {
  await tx.updateTable("invitations").set({ status: "accepted" }).where("id", "=", id).execute();
}

export async function deleteInvitation(tx: Sql, id: string): Promise<void> {
  await tx.deleteFrom("invitations").where("id", "=", id).execute();
}
