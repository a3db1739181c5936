import type { ReactNode } from "react";
import { Badge } from "#console/ui/panel.tsx";
import { UsageBar } from "#console/ui/usage-bar.tsx";
import type { Account } from "#contract/console/account.ts";

/** What the plan allows and what is taken of it. */
export const PlanUsage = ({ account: { plan, rate_limit } }: { readonly account: Account }) => (
  <div className="grid grid-cols-1 gap-5">
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      <Fact term="Plan">
        <span className="capitalize">{plan.id}</span>
      </Fact>
      <Fact term="API access">
        {plan.features.api_access ? <Badge tone="good">Included</Badge> : <Badge>Not included</Badge>}
      </Fact>
      <Fact term="Rate limit">
        {rate_limit.limit === null
          ? "None"
          : `${rate_limit.limit} requests per ${rate_limit.window_seconds} s and token`}
      </Fact>
    </dl>
    <UsageBar label="Active links" {...plan.features.active_links} />
    <UsageBar label="Domains" {...plan.features.domains} />
    <UsageBar label="API tokens" {...plan.features.api_tokens} />
    <UsageBar label="Webhook endpoints" {...plan.features.webhook_endpoints} />
  </div>
);

const Fact = ({ term, children }: { readonly term: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-sm text-faint">{term}</dt>
    <dd className="mt-0.5 font-medium">{children}</dd>
  </div>
);
