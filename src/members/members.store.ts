import type { Sql } from "#engines/records/schema.ts";

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

export const findMemberByUser = (sql: Sql, accountId: string, userId: string): Promise<MemberRow | undefined> =>
  selectMembers(sql, accountId).where("members.user_id", "=", userId).executeTakeFirst();

export async function updateRole(tx: Sql, id: string, role: string): Promise<void> {
  await tx.updateTable("members").set({ role }).where("id", "=", id).execute();
}

export async function deleteMember(tx: Sql, id: string): Promise<void> {
  await tx.deleteFrom("members").where("id", "=", id).execute();
}

const selectUserAccounts = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members")
    .innerJoin("accounts", "accounts.id", "members.account_id")
    .select(["accounts.no", "accounts.id", "accounts.name", "accounts.plan_id", "accounts.suspended_at"])
    .select(["accounts.sso_required", "members.role"])
    .where("members.user_id", "=", userId);

/** In the order of joining. */
export const listUserAccounts = (sql: Sql, userId: string) =>
  selectUserAccounts(sql, userId).orderBy("members.created_at").orderBy("members.id").execute();

export const findUserAccount = (sql: Sql, userId: string, accountId: string) =>
  selectUserAccounts(sql, userId).where("accounts.id", "=", accountId).executeTakeFirst();

export const listOwnersWithAccount = (sql: Sql, accountNo: number) =>
  sql
    .selectFrom("accounts")
    .innerJoin("members", "members.account_id", "accounts.id")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["accounts.id", "accounts.name", "users.email"])
    .where("accounts.no", "=", accountNo)
    .where("members.role", "=", "owner")
    .orderBy("members.created_at")
    .execute();
