import type { Insertable } from "kysely";
import type { AccountsTable, CredentialsTable, MembersTable, Sql, UsersTable } from "#engines/records/schema.ts";

/** An account that is being removed no longer counts as one. */
export const findAccount = (sql: Sql, id: string) =>
  sql
    .selectFrom("accounts")
    .select(["no", "name", "plan_id", "active_links", "suspended_at", "sso_required"])
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();

export const listAccounts = (sql: Sql) =>
  sql
    .selectFrom("accounts")
    .select(["id", "name", "plan_id", "active_links", "suspended_at", "sso_required", "created_at"])
    .select((eb) =>
      eb
        .selectFrom("members")
        .innerJoin("users", "users.id", "members.user_id")
        .select("users.email")
        .whereRef("members.account_id", "=", "accounts.id")
        .where("members.role", "=", "owner")
        .orderBy("members.created_at")
        .limit(1)
        .as("owner"),
    )
    .where("removed_at", "is", null)
    .orderBy("no")
    .execute();

/** Returns the new account's number. */
export async function insertAccount(tx: Sql, row: Insertable<AccountsTable>): Promise<number> {
  const { no } = await tx.insertInto("accounts").values(row).returning("no").executeTakeFirstOrThrow();
  return no;
}

export async function updateName(tx: Sql, accountNo: number, name: string): Promise<void> {
  await tx.updateTable("accounts").set({ name }).where("no", "=", accountNo).execute();
}

export async function updatePlan(tx: Sql, accountNo: number, planId: string): Promise<void> {
  await tx.updateTable("accounts").set({ plan_id: planId }).where("no", "=", accountNo).execute();
}

export async function updateSuspendedAt(tx: Sql, accountNo: number, suspendedAt: number | null): Promise<void> {
  await tx.updateTable("accounts").set({ suspended_at: suspendedAt }).where("no", "=", accountNo).execute();
}

export async function updateSsoRequired(tx: Sql, accountNo: number, required: boolean): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ sso_required: required ? 1 : 0 })
    .where("no", "=", accountNo)
    .execute();
}

export async function findUserIdByEmail(sql: Sql, email: string): Promise<string | null> {
  const user = await sql.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return user?.id ?? null;
}

export async function insertUser(
  tx: Sql,
  user: Insertable<UsersTable>,
  credential: Insertable<CredentialsTable>,
): Promise<void> {
  await tx.insertInto("users").values(user).execute();
  await tx.insertInto("credentials").values(credential).execute();
}

export const findMember = (sql: Sql, accountId: string, userId: string) =>
  sql
    .selectFrom("members")
    .select(["id", "role"])
    .where("account_id", "=", accountId)
    .where("user_id", "=", userId)
    .executeTakeFirst();

export async function insertMember(tx: Sql, row: Insertable<MembersTable>): Promise<void> {
  await tx.insertInto("members").values(row).execute();
}

export async function updateRole(tx: Sql, memberId: string, role: string): Promise<void> {
  await tx.updateTable("members").set({ role }).where("id", "=", memberId).execute();
}

export async function hasCredential(sql: Sql, userId: string, providerId: string): Promise<boolean> {
  const own = sql.selectFrom("credentials").select("id").where("user_id", "=", userId);
  return (await own.where("provider_id", "=", providerId).executeTakeFirst()) !== undefined;
}
