import { appendAudit } from "#audit/audit.service.ts";
import { appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { findPasswordProblem, PASSWORD_HASH } from "./password.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
}

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly planId: string | null;
  /** Asked for only when the e-mail address has no user yet. */
  readonly password: () => Promise<string>;
}

export function accountService({ records, plans, clock }: Deps) {
  const setSuspended = (accountId: string, suspended: boolean): Promise<void> =>
    records.write(async (tx) => {
      const at = clock();
      const account = await tx
        .updateTable("accounts")
        .set({ suspended_at: suspended ? at : null })
        .where("id", "=", accountId)
        .where("suspended_at", suspended ? "is" : "is not", null)
        .returning("no")
        .executeTakeFirst();
      if (!account) throw new Error(await whyUnchanged(tx, accountId, suspended));
      await appendChangeOfAll(tx, at);
      await appendAudit(tx, {
        at,
        accountNo: account.no,
        actor: "operator",
        action: suspended ? "account.suspended" : "account.resumed",
        subject: accountId,
      });
    });

  return {
    /** Makes the account and its owner. A user who exists already becomes the owner of one more account. */
    async create({ name, email, planId, password }: NewAccount): Promise<{ id: string }> {
      const plan = planId === null ? plans.defaultPlan : plans.find(planId);
      if (!plan)
        throw new Error(`there is no plan "${planId}"; there are: ${plans.plans.map(({ id }) => id).join(", ")}`);
      const address = email.toLowerCase();
      const known = await findUser(records.read, address);
      const hash = known === null ? await hashPassword(password) : null;
      const id = newId("acc");
      const at = clock();
      const now = new Date(at).toISOString();
      await records.write(async (tx) => {
        const userId = (await findUser(tx, address)) ?? (await insertOwner(tx, { address, name, hash, now }));
        const account = await tx
          .insertInto("accounts")
          .values({
            id,
            name,
            slug: id,
            logo: null,
            metadata: null,
            created_at: now,
            plan_id: plan.id,
            suspended_at: null,
          })
          .returning("no")
          .executeTakeFirstOrThrow();
        await tx
          .insertInto("members")
          .values({ id: newId("mem"), account_id: id, user_id: userId, role: "owner", created_at: now })
          .execute();
        await appendAudit(tx, {
          at,
          accountNo: account.no,
          actor: "operator",
          action: "account.created",
          subject: id,
          details: { plan: plan.id },
        });
      });
      return { id };
    },

    list: () =>
      records.read
        .selectFrom("accounts")
        .select(["id", "name", "plan_id", "active_links", "suspended_at", "created_at"])
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
        .orderBy("no")
        .execute(),

    hasUser: async (email: string): Promise<boolean> => (await findUser(records.read, email.toLowerCase())) !== null,

    /** Its tokens answer 403 and its links answer as blocked, from the next request on. */
    suspend: (accountId: string) => setSuspended(accountId, true),
    resume: (accountId: string) => setSuspended(accountId, false),
  };
}
export type AccountService = ReturnType<typeof accountService>;

async function whyUnchanged(tx: Sql, accountId: string, suspended: boolean): Promise<string> {
  const account = await tx.selectFrom("accounts").select("no").where("id", "=", accountId).executeTakeFirst();
  if (!account) return `there is no account "${accountId}"`;
  return suspended ? `the account "${accountId}" is suspended already` : `the account "${accountId}" is not suspended`;
}

async function hashPassword(read: NewAccount["password"]): Promise<string> {
  const password = await read();
  const problem = findPasswordProblem(password);
  if (problem) throw new Error(problem);
  return Bun.password.hash(password, PASSWORD_HASH);
}

async function findUser(sql: Sql, email: string): Promise<string | null> {
  const user = await sql.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return user?.id ?? null;
}

/** Rows as the sign-in library writes them itself, so that the owner can sign in to the console. */
async function insertOwner(
  tx: Sql,
  { address, name, hash, now }: { address: string; name: string; hash: string | null; now: string },
): Promise<string> {
  const id = newId("usr");
  await tx
    .insertInto("users")
    .values({
      id,
      name,
      email: address,
      email_verified: 1,
      image: null,
      two_factor_enabled: 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await tx
    .insertInto("credentials")
    .values({
      id: newId("crd"),
      provider_id: "credential",
      provider_account_id: id,
      user_id: id,
      password: hash,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}
