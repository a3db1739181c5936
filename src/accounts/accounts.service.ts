import { appendAudit } from "#audit/audit.service.ts";
import { appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Plan } from "#kernel/plan.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import {
  findMember,
  listAccounts,
  updateName,
  updatePlan,
  updateRole,
  updateSsoRequired,
  updateSuspendedAt,
} from "./accounts.store.ts";
import { accountNumberOf, getAccount } from "./get-account.ts";
import { addMember, createAccount } from "./new-account.ts";
import { findPasswordProblem, hashPassword } from "./password.ts";
import { createUser, findUserId, nameFromEmail } from "./users.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
}

export interface AccountRequest {
  readonly name: string;
  readonly email: string;
  readonly planId: string | null;
  /** Called only if the e-mail address has no user yet. */
  readonly password: () => Promise<string>;
}

export interface OwnerRequest extends Pick<AccountRequest, "email" | "password"> {
  readonly accountId: string;
}

export function accountService({ records, plans, clock }: Deps) {
  const getPlan = (id: string): Plan => {
    const plan = plans.find(id);
    if (plan) return plan;
    throw new Error(`there is no plan "${id}"; there are: ${plans.plans.map((known) => known.id).join(", ")}`);
  };

  /** For a user who may exist by now; hashing takes too long for a transaction. */
  const hashIfNew = async ({ email, password }: Pick<AccountRequest, "email" | "password">): Promise<string> =>
    (await findUserId(records.read, email)) === null ? readPasswordHash(password, email) : "";

  const setSuspended = (accountId: string, suspended: boolean): Promise<void> =>
    records.write(async (tx) => {
      const { no: accountNo, suspended_at } = await getAccount(tx, accountId);
      if (suspended === (suspended_at !== null)) {
        throw new Error(`the account "${accountId}" is ${suspended ? "already" : "not"} suspended`);
      }
      const at = clock();
      await updateSuspendedAt(tx, accountNo, suspended ? at : null);
      await appendChangeOfAll(tx, at);
      const action = suspended ? "account.suspended" : "account.resumed";
      await appendAudit(tx, { at, accountNo, actor: "operator", action, subject: accountId });
    });

  return {
    /** Creates the account and its owner; an existing user becomes the owner of one more account. */
    async create(request: AccountRequest): Promise<{ id: string }> {
      const { name, planId } = request;
      const plan = planId === null ? plans.defaultPlan : getPlan(planId);
      const email = request.email.toLowerCase();
      const passwordHash = await hashIfNew({ ...request, email });
      const at = clock();
      return records.write(async (tx) => {
        const owner = { email, name: nameFromEmail(email), passwordHash, emailVerified: true, at };
        const ownerId = (await findUserId(tx, email)) ?? (await createUser(tx, owner));
        const { id } = await createAccount(tx, { name, planId: plan.id, ownerId, actor: "operator", at });
        return { id };
      });
    },

    /** Creates the user if there is none with this address. */
    async addOwner(request: OwnerRequest): Promise<{ account_id: string; user_id: string }> {
      const { accountId } = request;
      const email = request.email.toLowerCase();
      const passwordHash = await hashIfNew({ ...request, email });
      const at = clock();
      return records.write(async (tx) => {
        const accountNo = await accountNumberOf(tx, accountId);
        const user = { email, name: nameFromEmail(email), passwordHash, emailVerified: true, at };
        const userId = (await findUserId(tx, email)) ?? (await createUser(tx, user));
        const member = await findMember(tx, accountId, userId);
        if (member?.role === "owner") throw new Error(`"${email}" is already an owner of "${accountId}"`);
        if (member) await updateRole(tx, member.id, "owner");
        else await addMember(tx, { accountId, userId, role: "owner", at });
        const action = member ? "member.role_changed" : "member.added";
        const details = member ? { from: member.role, to: "owner" } : { role: "owner" };
        await appendAudit(tx, { at, accountNo, actor: "operator", action, subject: userId, details });
        return { account_id: accountId, user_id: userId };
      });
    },

    list: () => listAccounts(records.read),

    hasUser: async (email: string): Promise<boolean> => (await findUserId(records.read, email)) !== null,

    rename: ({ accountNo, accountId, actor }: Caller, name: string): Promise<void> =>
      records.write(async (tx) => {
        await updateName(tx, accountNo, name);
        const entry = { at: clock(), accountNo, actor, action: "account.renamed", subject: accountId };
        await appendAudit(tx, { ...entry, details: { name } });
      }),

    /** A downgrade stops no link; only creating and resuming are refused from then on. */
    async setPlan(accountId: string, planId: string): Promise<void> {
      const plan = getPlan(planId);
      await records.write(async (tx) => {
        const accountNo = await accountNumberOf(tx, accountId);
        await updatePlan(tx, accountNo, plan.id);
        const entry = { at: clock(), accountNo, actor: "operator", action: "plan.set", subject: accountId };
        await appendAudit(tx, { ...entry, details: { plan: plan.id } });
      });
    },

    /** From the next request on, only sessions that began with the operator's provider reach the account. */
    requireSso: (accountId: string, required: boolean, actor = "operator"): Promise<void> =>
      records.write(async (tx) => {
        const { no: accountNo, sso_required } = await getAccount(tx, accountId);
        if (required === (sso_required === 1)) return;
        await updateSsoRequired(tx, accountNo, required);
        const action = required ? "account.sso_required" : "account.sso_optional";
        await appendAudit(tx, { at: clock(), accountNo, actor, action, subject: accountId });
      }),

    /** From the next request on, its tokens get 403 and its links are blocked. */
    suspend: (accountId: string) => setSuspended(accountId, true),
    resume: (accountId: string) => setSuspended(accountId, false),
  };
}
export type AccountService = ReturnType<typeof accountService>;

async function readPasswordHash(read: AccountRequest["password"], email: string): Promise<string> {
  const password = await read();
  const problem = findPasswordProblem(password, email);
  if (problem) throw new Error(problem);
  return hashPassword(password);
}
