import type { ReactNode } from "react";
import { Badge } from "#console/ui/panel.tsx";
import { UsageBar } from "#console/ui/usage-bar.tsx";
import type { Account } from "#contract/console/account.ts";
import { settingsTexts as texts } from "#texts/settings.ts";

/** What the plan allows and what is taken of it. */
export const PlanUsage = ({ account: { plan, rate_limit } }: { readonly account: Account }) => (
  <div className="grid grid-cols-1 gap-5">
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      <Fact term={texts.planName}>
        <span className="capitalize">{plan.id}</span>
      </Fact>
      <Fact term={texts.apiAccess}>
        {plan.features.api_access ? <Badge tone="good">{texts.included}</Badge> : <Badge>{texts.notIncluded}</Badge>}
      </Fact>
      <Fact term={texts.rateLimit}>
        {rate_limit.limit === null ? texts.noRateLimit : texts.requests(rate_limit.limit, rate_limit.window_seconds)}
      </Fact>
    </dl>
    <UsageBar label={texts.activeLinks} {...plan.features.active_links} />
    <UsageBar label={texts.domains} {...plan.features.domains} />
    <UsageBar label={texts.tokens} {...plan.features.api_tokens} />
    <UsageBar label={texts.endpoints} {...plan.features.webhook_endpoints} />
  </div>
);

const Fact = ({ term, children }: { readonly term: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-sm text-faint">{term}</dt>
    <dd className="mt-0.5 font-medium">{children}</dd>
  </div>
);
