import type { Sql } from "#engines/records/schema.ts";

export interface AccountOwners {
  readonly accountId: string;
  readonly accountName: string;
  readonly emails: readonly string[];
}

/** Whom to write to about an account. */
export async function listOwners(sql: Sql, accountNo: number): Promise<AccountOwners> {
  const rows = await sql
    .selectFrom("accounts")
    .innerJoin("members", "members.account_id", "accounts.id")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["accounts.id", "accounts.name", "users.email"])
    .where("accounts.no", "=", accountNo)
    .where("members.role", "=", "owner")
    .orderBy("members.created_at")
    .execute();
  return { accountId: rows[0]?.id ?? "", accountName: rows[0]?.name ?? "", emails: rows.map(({ email }) => email) };
}
