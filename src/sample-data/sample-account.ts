import { randomUUID } from "node:crypto";
import type { AccountService } from "#accounts/accounts.service.ts";
import { accountNumberOf, getAccount } from "#accounts/get-account.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Plan } from "#kernel/plan.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly accountsAt: (clock: Clock) => AccountService;
}

const NAME = "Sample data";
const EMAIL = "sample-data@example.com";

/** The account that the operator names, if its plan has room for the links. */
export async function getSampleAccount({ records, plans }: Deps, id: string, links: number): Promise<Caller> {
  const account = await getAccount(records.read, id);
  if (account.suspended_at !== null) throw new Error(`the account "${id}" is suspended`);
  const plan = plans.of(account.plan_id);
  assertRoom(plan, account.active_links, links);
  return callerOf(account.no, id, plan);
}

/** A new account for nothing but sample data. Nobody knows its owner's password. */
export async function createSampleAccount(
  { records, plans, accountsAt }: Deps,
  createdMs: number,
  links: number,
): Promise<Caller> {
  assertRoom(plans.defaultPlan, 0, links);
  const { id } = await accountsAt(() => createdMs).create({
    name: NAME,
    email: EMAIL,
    planId: null,
    password: async () => randomUUID(),
  });
  return callerOf(await accountNumberOf(records.read, id), id, plans.defaultPlan);
}

const callerOf = (accountNo: number, accountId: string, plan: Plan): Caller => ({
  accountNo,
  accountId,
  plan,
  actor: "operator",
  via: "demo",
});

function assertRoom({ id, active_links }: Plan, active: number, links: number): void {
  if (active_links === null || active + links <= active_links) return;
  const left = Math.max(0, active_links - active);
  throw new Error(
    `the plan "${id}" allows ${active_links} active links, which leaves room for ${left}; ` +
      "ask for fewer links, or name an account on a larger plan",
  );
}
