import { primaryLanguageOf } from "#clicks/classify/language.ts";
import { originTextOf, referrerHostOf } from "#clicks/classify/referrer.ts";
import { boundText } from "#clicks/classify/remembered.ts";
import { sourceOf } from "#clicks/classify/request-signs.ts";
import { classifyUserAgent } from "#clicks/classify/user-agent.ts";
import type { LinkVisit } from "#contract/resolve.ts";
import type { VisitFacts } from "#visits/rule.ts";

/** What is known of a described visitor: everything that is given as text is read as it is of a real request. */
export function factsOf(visit: LinkVisit, slug: string, ownHosts: ReadonlySet<string>): VisitFacts {
  const agent = classifyUserAgent(boundText(visit.user_agent ?? ""));
  const path = `/${slug}${visit.path ?? ""}`;
  const url = visit.query === undefined ? path : `${path}?${visit.query}`;
  return {
    country: visit.country ?? "",
    language: primaryLanguageOf(visit.language ?? ""),
    device: visit.device ?? agent.device,
    os: visit.os ?? agent.os,
    browser: visit.browser ?? agent.browser,
    referrer: referrerOf(visit.referrer ?? "", ownHosts),
    source: visit.source ?? sourceOf(url),
    url,
    visitor: "",
  };
}

/** People know sites by their names, requests by the address of a page. */
function referrerOf(text: string, ownHosts: ReadonlySet<string>): string {
  const page = text === "" || text.includes("://") ? text : `https://${text}`;
  return referrerHostOf(originTextOf(boundText(page)), ownHosts);
}
