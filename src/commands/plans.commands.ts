import { command } from "./command.ts";
import { required } from "./option.ts";
import { idText } from "./option-values.ts";
import { formatTable } from "./table.ts";

const plansList = command({
  name: "plans list",
  summary: "List the plans and what they allow",
  run: async ({ services }) => services().plans.plans,
  print: (plans) =>
    formatTable(
      ["ID", "API ACCESS", "ACTIVE LINKS", "WEBHOOK ENDPOINTS", "API TOKENS", "REQUESTS PER MINUTE"],
      plans.map((plan) => [
        plan.id,
        plan.api_access ? "yes" : "no",
        limitText(plan.active_links),
        limitText(plan.webhook_endpoints),
        limitText(plan.api_tokens),
        plan.rate_limit_per_minute === undefined ? "default" : limitText(plan.rate_limit_per_minute),
      ]),
    ),
});

const plansSet = command({
  name: "plans set",
  summary: "Put an account on a plan",
  notes: "A smaller plan stops no link; creating and resuming links is refused until the account fits it.",
  options: {
    account: required("ID", idText, "The account's id."),
    plan: required("P", idText, "The plan, as plans list shows it."),
  },
  run: async ({ services }, { account, plan }) => {
    await services().accounts.setPlan(account, plan);
    return { account, plan };
  },
  print: ({ account, plan }) => `The account ${account} is on the plan ${plan}.`,
});

const limitText = (limit: number | null): string => (limit === null ? "unlimited" : String(limit));

export const planCommands = [plansList, plansSet];
