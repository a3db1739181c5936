import type { Sql } from "#engines/records/schema.ts";

/** The number of an account that an operator names; one that is being removed is no account any more. */
export async function accountNumberOf(sql: Sql, accountId: string): Promise<number> {
  const account = await sql
    .selectFrom("accounts")
    .select("no")
    .where("id", "=", accountId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (!account) throw new Error(`there is no account "${accountId}"`);
  return account.no;
}
