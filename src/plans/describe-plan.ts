import type { Plan } from "#kernel/plan.ts";

interface Used {
  readonly active_links: number;
  readonly webhook_endpoints: number;
  readonly domains: number;
}

/** A plan and how much of it is used, as the API and the console show it. */
export const describePlan = (plan: Plan, used: Used) => ({
  id: plan.id,
  features: {
    api_access: plan.api_access,
    active_links: { limit: plan.active_links, used: used.active_links },
    webhook_endpoints: { limit: plan.webhook_endpoints, used: used.webhook_endpoints },
    domains: { limit: plan.domains, used: used.domains },
    rules_per_link: { limit: plan.rules_per_link },
  },
});
