import type { Sql } from "#engines/records/schema.ts";

interface Verification {
  readonly id: string;
  /** Hashed, so that someone who reads the database can't use the link. */
  readonly identifier: string;
  readonly value: string;
  readonly at: number;
  readonly expiresAt: string;
}

export async function insertVerification(tx: Sql, verification: Verification): Promise<void> {
  const { id, identifier, value, at, expiresAt } = verification;
  const createdAt = new Date(at).toISOString();
  await tx
    .insertInto("verifications")
    .values({ id, identifier, value, expires_at: expiresAt, created_at: createdAt, updated_at: createdAt })
    .execute();
}

export async function findLiveValue(sql: Sql, identifier: string, now: number): Promise<string | null> {
  const found = await sql
    .selectFrom("verifications")
    .select("value")
    .where("identifier", "=", identifier)
    .where("expires_at", ">", new Date(now).toISOString())
    .executeTakeFirst();
  return found?.value ?? null;
}

export async function deleteVerification(tx: Sql, id: string): Promise<void> {
  await tx.deleteFrom("verifications").where("id", "=", id).execute();
}

/** The library stores a user's id as the value of reset links and of sign-ins that wait for a second factor. */
export async function deleteVerificationsOf(tx: Sql, userId: string): Promise<void> {
  await tx.deleteFrom("verifications").where("value", "=", userId).execute();
}
