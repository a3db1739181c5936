import { withVisitorPath, withVisitorQuery } from "#shared/location.ts";
import { type CompiledRule, compileRules, decide } from "./decide.ts";
import type { LinkPreview, LinkSettings, RedirectStatus } from "./link-settings.ts";
import type { VisitFacts } from "./rule.ts";

/** What distinguishes a link from a plain one, ready to be applied to visits. */
export interface LinkPlan {
  readonly rules: readonly CompiledRule<string>[];
  readonly status: RedirectStatus;
  readonly forwardsQuery: boolean;
  readonly forwardsPath: boolean;
  /** Unix milliseconds. */
  readonly startsAt: number;
  readonly expiredUrl: string | null;
  readonly preview: LinkPreview | null;
  readonly maxClicks: number | null;
}

export interface PlannedLink {
  readonly no: number;
  /** Where it leads if no rule decides. */
  readonly location: string;
  readonly plan: LinkPlan;
}

export interface Lead {
  readonly location: string;
  readonly status: RedirectStatus;
  /** As in reports; `null` for the link's own destination. */
  readonly rule: string | null;
}

/** `toLocation` turns each destination into what visitors are sent to. */
export function planOf(settings: LinkSettings, toLocation: (url: string) => string): LinkPlan {
  return {
    rules: compileRules(settings.rules ?? [], toLocation),
    status: settings.redirect_status ?? 302,
    forwardsQuery: settings.forward_query ?? true,
    forwardsPath: settings.forward_path ?? false,
    startsAt: settings.starts_at ?? Number.NEGATIVE_INFINITY,
    expiredUrl: settings.expired_url ?? null,
    preview: settings.preview ?? null,
    maxClicks: settings.max_clicks ?? null,
  };
}

export const locationsOf = ({ rules }: LinkPlan): readonly string[] =>
  rules.flatMap(({ ways }) => ways.map(({ target }) => target));

/** Where a visit leads: the same for the redirect and for a dry run. */
export function leadOf({ no, location, plan }: PlannedLink, facts: VisitFacts, atMs: number): Lead {
  const decided = decide(plan.rules, facts, { linkNo: no, atMs });
  return {
    location: extendLocation(decided?.target ?? location, facts.url, plan),
    status: plan.status,
    rule: decided?.label ?? null,
  };
}

/** Adds what the visitor put behind the slug. */
export function extendLocation(location: string, url: string, { forwardsPath, forwardsQuery }: LinkPlan): string {
  const mark = url.indexOf("?");
  const below = forwardsPath ? withVisitorPath(location, pathBelow(mark === -1 ? url : url.slice(0, mark))) : location;
  return forwardsQuery && mark !== -1 ? withVisitorQuery(below, url.slice(mark + 1)) : below;
}

const PATH_BELOW = /^(?:[a-z]+:\/\/[^/]*)?\/[^/]*(\/.*)$/i;

/** What follows the first segment; `url` has no query and may lack everything before the path. */
export const pathBelow = (url: string): string => PATH_BELOW.exec(url)?.[1] ?? "";

/** For guarded links: a browser that keeps the redirect would lead past the guard. */
export const temporaryStatus = (status: RedirectStatus): RedirectStatus =>
  status === 301 ? 302 : status === 308 ? 307 : status;
