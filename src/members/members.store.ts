import type { Insertable } from "kysely";
import type { InvitationsTable, Sql } from "#engines/records/schema.ts";

const selectMembers = (sql: Sql, accountId: string) =>
  sql
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["members.id", "members.user_id", "members.role", "members.created_at", "users.name", "users.email"])
    .where("members.account_id", "=", accountId);

export const listMembers = (sql: Sql, accountId: string) =>
  selectMembers(sql, accountId).orderBy("members.created_at").orderBy("members.id").execute();

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

export const findMember = (sql: Sql, accountId: string, id: string): Promise<MemberRow | undefined> =>
  selectMembers(sql, accountId).where("members.id", "=", id).executeTakeFirst();

/** Those that were neither used nor outlived. */
export const listInvitations = (sql: Sql, accountId: string, now: number) =>
  sql
    .selectFrom("invitations")
    .select(["id", "email", "role", "expires_at", "inviter_id"])
    .where("account_id", "=", accountId)
    .where("status", "=", "pending")
    .where("expires_at", ">", new Date(now).toISOString())
    .orderBy("created_at", "desc")
    .execute();

/** A new one takes the place of an older one to the same address. Returns the account's name. */
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
