import { sql as raw } from "kysely";
import { containsPattern } from "#engines/records/like.ts";
import type { Sql } from "#engines/records/schema.ts";

/** All users with their accounts: one row for each membership, and one for a user without any. */
export const listUsers = (sql: Sql) =>
  sql
    .selectFrom("users")
    .leftJoin("members", "members.user_id", "users.id")
    .leftJoin("accounts", "accounts.id", "members.account_id")
    .select(["users.id", "users.email", "users.name", "users.two_factor_enabled", "users.created_at"])
    .select(["members.role", "accounts.id as account_id", "accounts.name as account_name"])
    .orderBy("users.created_at")
    .orderBy("users.id")
    .orderBy("members.created_at")
    .execute();

export const findUser = (sql: Sql, userId: string) =>
  sql.selectFrom("users").select(["id", "email", "name", "email_verified"]).where("id", "=", userId).executeTakeFirst();

export const hasUsers = async (sql: Sql): Promise<boolean> =>
  (await sql.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;

export async function updateName(tx: Sql, userId: string, name: string, at: number): Promise<void> {
  const updated_at = new Date(at).toISOString();
  await tx.updateTable("users").set({ name, updated_at }).where("id", "=", userId).execute();
}

interface NewEmail {
  readonly email: string;
  readonly verified: boolean;
  readonly at: number;
}

export async function updateEmail(tx: Sql, userId: string, { email, verified, at }: NewEmail): Promise<void> {
  await tx
    .updateTable("users")
    .set({ email, email_verified: verified ? 1 : 0, updated_at: new Date(at).toISOString() })
    .where("id", "=", userId)
    .execute();
}

export async function markEmailVerified(tx: Sql, userId: string): Promise<void> {
  await tx.updateTable("users").set({ email_verified: 1 }).where("id", "=", userId).execute();
}

/** Credentials, passkeys, the second factor, memberships and invitations by this user are deleted with the row. */
export async function deleteUser(tx: Sql, userId: string): Promise<void> {
  await tx.deleteFrom("users").where("id", "=", userId).execute();
}

export async function deleteInvitationsTo(tx: Sql, email: string): Promise<void> {
  await tx.deleteFrom("invitations").where("email", "=", email).execute();
}

/** A used invitation is only a trace of the address; a pending one still works. */
export async function deleteAcceptedInvitationsTo(tx: Sql, email: string): Promise<void> {
  await tx.deleteFrom("invitations").where("email", "=", email).where("status", "=", "accepted").execute();
}

/** The accounts that would have no owner without this user. */
export const listOwnedAlone = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members as mine")
    .innerJoin("accounts", "accounts.id", "mine.account_id")
    .select(["accounts.id", "accounts.name"])
    .where("mine.user_id", "=", userId)
    .where("mine.role", "=", "owner")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as other")
            .select("other.id")
            .whereRef("other.account_id", "=", "mine.account_id")
            .where("other.role", "=", "owner")
            .where("other.user_id", "!=", userId),
        ),
      ),
    )
    .orderBy("accounts.name")
    .execute();

export const listAccountsOf = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members")
    .innerJoin("accounts", "accounts.id", "members.account_id")
    .select(["accounts.no", "members.role"])
    .where("members.user_id", "=", userId)
    .execute();

/** Audit entries that contain a user's address or name. The log may be long, so use `scan`. */
export async function findTraces(sql: Sql, userId: string, email: string): Promise<readonly number[]> {
  const written = containsPattern(JSON.stringify(email).slice(1, -1));
  const rows = await sql
    .selectFrom("audit_log")
    .select("no")
    .where((eb) =>
      eb.or([
        eb("subject", "=", email),
        raw<boolean>`details like ${written} escape '\\'`,
        eb.and([eb("subject", "=", userId), eb("action", "=", "user.renamed")]),
      ]),
    )
    .execute();
  return rows.map(({ no }) => no);
}

/** Keeps the entries, but only with the user's id. */
export async function removeTraces(
  tx: Sql,
  entries: readonly number[],
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  for (let first = 0; first < entries.length; first += TRACES_AT_ONCE) {
    const some = entries.slice(first, first + TRACES_AT_ONCE);
    await tx.updateTable("audit_log").set({ details: "{}" }).where("no", "in", some).execute();
    await tx
      .updateTable("audit_log")
      .set({ subject: userId })
      .where("no", "in", some)
      .where("subject", "=", email)
      .execute();
  }
}

const TRACES_AT_ONCE = 500;
