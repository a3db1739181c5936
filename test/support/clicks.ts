import type { Kurz } from "#sdk/client.ts";
import type { Link } from "#sdk/generated.ts";
import type { KurzServer } from "./kurz-server.ts";
import { until } from "./until.ts";
import { type Visit, type VisitOptions, visit } from "./visit.ts";

export const userAgents = {
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  slackbot: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
} as const;

/** Visits a short link as a person does, with a browser's user agent unless the headers have another. */
export const click = (
  server: KurzServer,
  { slug }: Pick<Link, "slug">,
  { query = "", ...options }: VisitOptions & { readonly query?: string } = {},
): Promise<Visit> =>
  visit(server, `/${slug}${query}`, { ...options, headers: { "User-Agent": userAgents.chrome, ...options.headers } });

/** Waits until the account's reports have that many visits, bots included. */
export const untilReported = (kurz: Kurz, visits: number): Promise<number> =>
  until(
    `${visits} visits are reported`,
    async () => (await kurz.analytics.get({ interval: "24h", include_bots: true })).totals.clicks >= visits,
  );
