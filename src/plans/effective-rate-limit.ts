import type { Plan } from "#kernel/plan.ts";

/** Requests per minute of a token: its own limit, else its plan's, else the deployment's; `null` when switched off. */
export const effectiveRateLimit = (tokenLimit: number | null, plan: Plan, deploymentLimit: number): number | null =>
  deploymentLimit === 0 ? null : (tokenLimit ?? plan.rate_limit_per_minute ?? deploymentLimit);
