import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { PlanCatalogue } from "./plan-catalogue.ts";

const countUp = statement((sql, { accountNo, limit }: { accountNo: number; limit: number }) =>
  sql
    .updateTable("accounts")
    .set((eb) => ({ active_links: eb("active_links", "+", 1) }))
    .where("no", "=", accountNo)
    .where("active_links", "<", limit)
    .returning("active_links"),
);

/** Counts one more active link, or refuses. The guarded update makes it exact under any concurrency. */
export async function takeActiveLinkPlace(tx: Sql, { accountNo, plan }: Caller): Promise<void> {
  const limit = plan.active_links ?? Number.MAX_SAFE_INTEGER;
  const counted = await countUp(tx, { accountNo, limit });
  if (counted.length === 0) {
    throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${limit} active links.`, {
      feature: "active_links",
      limit,
    });
  }
}

export async function freeActiveLinkPlace(tx: Sql, accountNo: number): Promise<void> {
  await tx
    .updateTable("accounts")
    .set((eb) => ({ active_links: eb("active_links", "-", 1) }))
    .where("no", "=", accountNo)
    .execute();
}

/** Counts one more webhook endpoint, or refuses, in the same way. */
export async function takeEndpointPlace(
  tx: Sql,
  { accountNo, plan }: Pick<Caller, "accountNo" | "plan">,
): Promise<void> {
  const limit = plan.webhook_endpoints ?? Number.MAX_SAFE_INTEGER;
  const counted = await tx
    .updateTable("accounts")
    .set((eb) => ({ webhook_endpoints: eb("webhook_endpoints", "+", 1) }))
    .where("no", "=", accountNo)
    .where("webhook_endpoints", "<", limit)
    .returning("webhook_endpoints")
    .executeTakeFirst();
  if (counted) return;
  throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${limit} webhook endpoints.`, {
    feature: "webhook_endpoints",
    limit,
  });
}

export async function freeEndpointPlace(tx: Sql, accountNo: number): Promise<void> {
  await tx
    .updateTable("accounts")
    .set((eb) => ({ webhook_endpoints: eb("webhook_endpoints", "-", 1) }))
    .where("no", "=", accountNo)
    .execute();
}

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
}

export function planService({ records, plans, clock }: Deps) {
  return {
    list: () => plans.plans,

    /** A downgrade stops no link; only creating and resuming are refused from then on. */
    async setPlan(accountId: string, planId: string): Promise<void> {
      const plan = plans.find(planId);
      if (!plan)
        throw new Error(`there is no plan "${planId}"; there are: ${plans.plans.map(({ id }) => id).join(", ")}`);
      await records.write(async (tx) => {
        const account = await tx
          .updateTable("accounts")
          .set({ plan_id: plan.id })
          .where("id", "=", accountId)
          .returning("no")
          .executeTakeFirst();
        if (!account) throw new Error(`there is no account "${accountId}"`);
        await appendAudit(tx, {
          at: clock(),
          accountNo: account.no,
          actor: "operator",
          action: "plan.set",
          subject: accountId,
          details: { plan: plan.id },
        });
      });
    },
  };
}
