import type { Plan } from "#kernel/plan.ts";

/** Requests per minute of a token: its own limit, else its plan's, else the deployment's; `null` for no limit. */
export function effectiveRateLimit(tokenLimit: number | null, plan: Plan, deploymentLimit: number): number | null {
  if (deploymentLimit === 0) return null;
  if (tokenLimit !== null) return tokenLimit;
  return plan.rate_limit_per_minute === undefined ? deploymentLimit : plan.rate_limit_per_minute;
}
