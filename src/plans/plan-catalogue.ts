import { readFileSync } from "node:fs";
import { z } from "zod";
import { codeOf } from "#kernel/error-codes.ts";
import type { Plan } from "#kernel/plan.ts";

const Count = z.int().min(0).nullable();

const PlanDefinition = z.strictObject({
  api_access: z.boolean(),
  active_links: Count,
  webhook_endpoints: Count,
  domains: Count.default(0),
  api_tokens: Count.default(50),
  rules_per_link: Count.default(null),
  rate_limit_per_minute: z.int().min(1).nullable().optional(),
});

const PlansFile = z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/), PlanDefinition);

const builtIn: z.input<typeof PlansFile> = {
  free: { api_access: false, active_links: 25, webhook_endpoints: 1, domains: 0, rules_per_link: 2 },
  pro: { api_access: true, active_links: 500, webhook_endpoints: 5, domains: 5 },
  unlimited: { api_access: true, active_links: null, webhook_endpoints: null, domains: null },
};

export interface PlanCatalogue {
  readonly plans: readonly Plan[];
  readonly defaultPlan: Plan;
  find(id: string): Plan | undefined;
  /** An account's plan, or the default if the operator's file no longer has it. */
  of(id: string): Plan;
}

/** Throws with one line that says what is wrong, so that the server doesn't start. */
export function loadPlans(file: string | null, defaultPlanId: string): PlanCatalogue {
  const definitions = file === null ? PlansFile.parse(builtIn) : readPlansFile(file);
  const plans = new Map(Object.entries(definitions).map(([id, definition]) => [id, { id, ...definition }]));
  const defaultPlan = plans.get(defaultPlanId);
  if (!defaultPlan) {
    throw new Error(`KURZ_DEFAULT_PLAN "${defaultPlanId}" is not a plan; there are: ${[...plans.keys()].join(", ")}`);
  }
  return {
    plans: [...plans.values()],
    defaultPlan,
    find: (id) => plans.get(id),
    of: (id) => plans.get(id) ?? defaultPlan,
  };
}

function readPlansFile(file: string): z.output<typeof PlansFile> {
  const refuse = (reason: string) => new Error(`KURZ_PLANS_FILE ${file}: ${reason}`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw refuse(`cannot be read (${codeOf(error) ?? error})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse("is not valid JSON");
  }
  const parsed = PlansFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(`${issue?.path.join(".") || "the file"}: ${issue?.message ?? "is not valid"}`);
  }
  return parsed.data;
}
