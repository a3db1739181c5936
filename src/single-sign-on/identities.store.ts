import { providerIdOf, type Subject } from "#accounts/users.ts";
import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";

export async function findUserOf(sql: Sql, { issuer, subject }: Subject): Promise<string | null> {
  const found = await sql
    .selectFrom("credentials")
    .select("user_id")
    .where("provider_id", "=", providerIdOf(issuer))
    .where("provider_account_id", "=", subject)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

export async function insertIdentity(
  tx: Sql,
  { issuer, subject, userId, at }: Subject & { readonly userId: string; readonly at: number },
): Promise<void> {
  const time = new Date(at).toISOString();
  await tx
    .insertInto("credentials")
    .values({
      id: newId("crd"),
      provider_id: providerIdOf(issuer),
      provider_account_id: subject,
      user_id: userId,
      password: null,
      created_at: time,
      updated_at: time,
    })
    .execute();
}

export async function isMemberAnywhere(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.selectFrom("members").select("id").where("user_id", "=", userId).executeTakeFirst()) !== undefined;
}

export const findAccountNo = async (sql: Sql, accountId: string): Promise<number | null> => {
  const account = await sql
    .selectFrom("accounts")
    .select("no")
    .where("id", "=", accountId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return account?.no ?? null;
};
