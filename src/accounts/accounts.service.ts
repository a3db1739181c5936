import { appendAudit } from "#audit/audit.service.ts";
import { appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { accountNumberOf } from "./account-number.ts";
import { findUserId, insertAccount, insertMember, insertUser } from "./new-account.ts";
import { findPasswordProblem, hashPassword } from "./password.ts";

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

export interface NewOwner extends Pick<NewAccount, "email" | "password"> {
  readonly accountId: string;
}

export function accountService({ records, plans, clock }: Deps) {
  const setSuspended = (accountId: string, suspended: boolean): Promise<void> =>
    records.write(async (tx) => {
      const at = clock();
      const account = await tx
        .updateTable("accounts")
        .set({ suspended_at: suspended ? at : null })
        .where("id", "=", accountId)
        .where("removed_at", "is", null)
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
      const known = await findUserId(records.read, address);
      const passwordHash = known === null ? await readPasswordHash(password, address) : "";
      const at = clock();
      return records.write(async (tx) => {
        const owner = { email: address, name, passwordHash, emailVerified: true, at };
        const ownerId = (await findUserId(tx, address)) ?? (await insertUser(tx, owner));
        return insertAccount(tx, { name, planId: plan.id, ownerId, actor: "operator", at });
      });
    },

    /** Makes a user, who is made where there is none, an owner of the account. */
    async addOwner({ accountId, email, password }: NewOwner): Promise<{ account_id: string; user_id: string }> {
      const address = email.toLowerCase();
      const known = await findUserId(records.read, address);
      const passwordHash = known === null ? await readPasswordHash(password, address) : "";
      const at = clock();
      return records.write(async (tx) => {
        const accountNo = await accountNumberOf(tx, accountId);
        const [name = address] = address.split("@");
        const person = { email: address, name, passwordHash, emailVerified: true, at };
        const userId = (await findUserId(tx, address)) ?? (await insertUser(tx, person));
        const member = await tx
          .selectFrom("members")
          .select(["id", "role"])
          .where("account_id", "=", accountId)
          .where("user_id", "=", userId)
          .executeTakeFirst();
        if (member?.role === "owner") throw new Error(`"${address}" is an owner of "${accountId}" already`);
        if (member) await tx.updateTable("members").set({ role: "owner" }).where("id", "=", member.id).execute();
        else await insertMember(tx, { accountId, userId, role: "owner", at });
        const action = member ? "member.role_changed" : "member.added";
        const details = member ? { from: member.role, to: "owner" } : { role: "owner" };
        await appendAudit(tx, { at, accountNo, actor: "operator", action, subject: userId, details });
        return { account_id: accountId, user_id: userId };
      });
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
        .where("removed_at", "is", null)
        .orderBy("no")
        .execute(),

    hasUser: async (email: string): Promise<boolean> => (await findUserId(records.read, email.toLowerCase())) !== null,

    /** Its tokens answer 403 and its links answer as blocked, from the next request on. */
    suspend: (accountId: string) => setSuspended(accountId, true),
    resume: (accountId: string) => setSuspended(accountId, false),
  };
}
export type AccountService = ReturnType<typeof accountService>;

async function whyUnchanged(tx: Sql, accountId: string, suspended: boolean): Promise<string> {
  await accountNumberOf(tx, accountId);
  return suspended ? `the account "${accountId}" is suspended already` : `the account "${accountId}" is not suspended`;
}

async function readPasswordHash(read: NewAccount["password"], email: string): Promise<string> {
  const password = await read();
  const problem = findPasswordProblem(password, email);
  if (problem) throw new Error(problem);
  return hashPassword(password);
}
