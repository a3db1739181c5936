import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import {
  countDownActiveLinks,
  countDownDomains,
  countDownEndpoints,
  countUpActiveLinks,
  countUpDomains,
  countUpEndpoints,
} from "./plans.store.ts";

type PlanUser = Pick<Caller, "accountNo" | "plan">;

/** Counts one more active link, or refuses. The guarded update makes it exact under any concurrency. */
export async function reserveActiveLink(tx: Sql, { accountNo, plan }: PlanUser): Promise<void> {
  const limit = plan.active_links ?? Number.MAX_SAFE_INTEGER;
  if (await countUpActiveLinks(tx, { accountNo, limit })) return;
  throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${limit} active links.`, {
    feature: "active_links",
    limit,
  });
}

export const releaseActiveLink = (tx: Sql, accountNo: number): Promise<void> => countDownActiveLinks(tx, accountNo);

/** Counts one more webhook endpoint, or refuses, in the same way. */
export async function reserveEndpoint(tx: Sql, { accountNo, plan }: PlanUser): Promise<void> {
  const limit = plan.webhook_endpoints ?? Number.MAX_SAFE_INTEGER;
  if (await countUpEndpoints(tx, { accountNo, limit })) return;
  throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${limit} webhook endpoints.`, {
    feature: "webhook_endpoints",
    limit,
  });
}

export const releaseEndpoint = (tx: Sql, accountNo: number): Promise<void> => countDownEndpoints(tx, accountNo);

/** Counts one more domain, or refuses, in the same way. */
export async function reserveDomain(tx: Sql, { accountNo, plan }: PlanUser): Promise<void> {
  const limit = plan.domains ?? Number.MAX_SAFE_INTEGER;
  if (await countUpDomains(tx, { accountNo, limit })) return;
  throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${limit} domains.`, { feature: "domains", limit });
}

export const releaseDomain = (tx: Sql, accountNo: number): Promise<void> => countDownDomains(tx, accountNo);

/** Only for rules that are set: those that a link has stay on a smaller plan. */
export function assertRulesAllowed({ plan }: Pick<PlanUser, "plan">, rules: number): void {
  const limit = plan.rules_per_link;
  if (limit === null || rules <= limit) return;
  const count = limit === 1 ? "1 rule" : `${limit} rules`;
  throw new ApiError("plan_limit", `The plan "${plan.id}" allows ${count} per link.`, {
    feature: "rules_per_link",
    limit,
  });
}
