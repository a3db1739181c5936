import type { Insertable } from "kysely";
import type { Sql, TwoFactorsTable } from "#engines/records/schema.ts";

/** When the user's password was set, in Unix milliseconds; `null` if there is no such user. */
export async function findPasswordTime(sql: Sql, email: string): Promise<number | null> {
  const credential = await sql
    .selectFrom("users")
    .innerJoin("credentials", "credentials.user_id", "users.id")
    .select("credentials.updated_at")
    .where("users.email", "=", email)
    .where("credentials.provider_id", "=", "credential")
    .executeTakeFirst();
  return credential ? Date.parse(credential.updated_at) : null;
}

export async function hasPassword(sql: Sql, userId: string): Promise<boolean> {
  const own = sql.selectFrom("credentials").select("id").where("user_id", "=", userId);
  return (await own.where("provider_id", "=", "credential").executeTakeFirst()) !== undefined;
}

/** Returns false if the user had none. */
export async function deletePassword(tx: Sql, userId: string): Promise<boolean> {
  const own = tx.deleteFrom("credentials").where("user_id", "=", userId).where("provider_id", "=", "credential");
  return (await own.returning("id").executeTakeFirst()) !== undefined;
}

/** At OpenID Connect providers. Returns false if the user had none. */
export async function deleteIdentities(tx: Sql, userId: string): Promise<boolean> {
  const others = tx.deleteFrom("credentials").where("user_id", "=", userId).where("provider_id", "!=", "credential");
  return (await others.returning("id").execute()).length > 0;
}

export const listPasskeys = (sql: Sql, userId: string) =>
  sql.selectFrom("passkeys").select(["id", "name", "created_at"]).where("user_id", "=", userId).orderBy("id").execute();

export const updatePasskeyName = (tx: Sql, { id, userId, name }: { id: string; userId: string; name: string }) =>
  tx
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("created_at")
    .executeTakeFirst();

/** Returns false if the user has no such passkey. */
export async function deletePasskey(tx: Sql, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const own = tx.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId);
  return (await own.returning("id").executeTakeFirst()) !== undefined;
}

/** Returns false if the user had none. */
export async function deletePasskeysOf(tx: Sql, userId: string): Promise<boolean> {
  return (await tx.deleteFrom("passkeys").where("user_id", "=", userId).returning("id").execute()).length > 0;
}

export const findTwoFactor = (sql: Sql, userId: string) =>
  sql.selectFrom("two_factors").select(["secret", "verified"]).where("user_id", "=", userId).executeTakeFirst();

export async function replaceTwoFactor(tx: Sql, row: Insertable<TwoFactorsTable>): Promise<void> {
  await tx.deleteFrom("two_factors").where("user_id", "=", row.user_id).execute();
  await tx.insertInto("two_factors").values(row).execute();
}

export async function enableTwoFactor(tx: Sql, userId: string): Promise<void> {
  await tx.updateTable("two_factors").set({ verified: 1 }).where("user_id", "=", userId).execute();
  await tx.updateTable("users").set({ two_factor_enabled: 1 }).where("id", "=", userId).execute();
}

/** Returns false if the user had none. */
export async function deleteTwoFactor(tx: Sql, userId: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("two_factors").where("user_id", "=", userId).returning("id").execute();
  await tx.updateTable("users").set({ two_factor_enabled: 0 }).where("id", "=", userId).execute();
  return deleted.length > 0;
}

/** Returns false if the user has no confirmed authenticator app. */
export async function updateBackupCodes(tx: Sql, userId: string, backupCodes: string): Promise<boolean> {
  const updated = await tx
    .updateTable("two_factors")
    .set({ backup_codes: backupCodes })
    .where("user_id", "=", userId)
    .where("verified", "=", 1)
    .returning("id")
    .executeTakeFirst();
  return updated !== undefined;
}

/** Returns false if this step, or a later one, was used before. */
export async function markStepUsed(tx: Sql, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("two_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
