import { command } from "./command.ts";
import { required } from "./option.ts";
import { idText } from "./option-values.ts";
import { formatTable } from "./table.ts";

const plansList = command({
  name: "plans list",
  summary: "List the plans and what they allow",
  run: async ({ services }) => (await services()).plans.plans,
  print: (plans) =>
    formatTable(
      [
        "ID",
        "API ACCESS",
        "ACTIVE LINKS",
        "WEBHOOK ENDPOINTS",
        "DOMAINS",
        "API TOKENS",
        "RULES PER LINK",
        "REQUESTS PER MINUTE",
      ],
      plans.map((plan) => [
        plan.id,
        plan.api_access ? "yes" : "no",
        limitText(plan.active_links),
        limitText(plan.webhook_endpoints),
        limitText(plan.domains),
        limitText(plan.api_tokens),
        limitText(plan.rules_per_link),
        plan.rate_limit_per_minute === undefined ? "default" : limitText(plan.rate_limit_per_minute),
      ]),
    ),
});

const plansSet = command({
  name: "plans set",
  summary: "Change an account's plan",
  notes:
    "A smaller plan doesn't stop any links, but no link can be created or resumed until the account is within its limits.",
  options: {
    account: required("ID", idText, "The account id."),
    plan: required("P", idText, "The plan id, as plans list shows it."),
  },
  run: async ({ services }, { account, plan }) => {
    const { accounts } = await services();
    await accounts.setPlan(account, plan);
    return { account, plan };
  },
  print: ({ account, plan }) => `The account ${account} is now on the plan ${plan}.`,
});

const limitText = (limit: number | null): string => (limit === null ? "unlimited" : String(limit));

export const planCommands = [plansList, plansSet];
