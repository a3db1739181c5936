import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";

export interface NewUser {
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Whether someone who knows says that the address is this person's. */
  readonly emailVerified: boolean;
  readonly at: number;
}

export interface NewAccountRow {
  readonly name: string;
  readonly planId: string;
  readonly ownerId: string;
  /** For the audit log. */
  readonly actor: string;
  readonly at: number;
}

export async function findUserId(sql: Sql, email: string): Promise<string | null> {
  const user = await sql.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return user?.id ?? null;
}

/** Rows as the sign-in library writes them itself, so that the user can sign in to the console. */
export async function insertUser(tx: Sql, user: NewUser): Promise<string> {
  const { email, name, passwordHash, emailVerified, at } = user;
  const id = newId("usr");
  const times = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
  await tx
    .insertInto("users")
    .values({ id, name, email, email_verified: emailVerified ? 1 : 0, image: null, two_factor_enabled: 0, ...times })
    .execute();
  await tx
    .insertInto("credentials")
    .values({
      id: newId("crd"),
      provider_id: "credential",
      provider_account_id: id,
      user_id: id,
      password: passwordHash,
      ...times,
    })
    .execute();
  return id;
}

/** The account and its owner's membership. */
export async function insertAccount(
  tx: Sql,
  { name, planId, ownerId, actor, at }: NewAccountRow,
): Promise<{ id: string }> {
  const id = newId("acc");
  const created_at = new Date(at).toISOString();
  const account = await tx
    .insertInto("accounts")
    .values({ id, name, slug: id, logo: null, metadata: null, created_at, plan_id: planId, suspended_at: null })
    .returning("no")
    .executeTakeFirstOrThrow();
  await insertMember(tx, { accountId: id, userId: ownerId, role: "owner", at });
  await appendAudit(tx, {
    at,
    accountNo: account.no,
    actor,
    action: "account.created",
    subject: id,
    details: { plan: planId },
  });
  return { id };
}

export async function insertMember(
  tx: Sql,
  { accountId, userId, role, at }: { accountId: string; userId: string; role: string; at: number },
): Promise<void> {
  await tx
    .insertInto("members")
    .values({
      id: newId("mem"),
      account_id: accountId,
      user_id: userId,
      role,
      created_at: new Date(at).toISOString(),
    })
    .execute();
}
