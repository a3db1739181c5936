import { getAccountAnalytics, getLinkAnalytics } from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import { createLink } from "#contract/links.ts";
import { type ConsoleServer, startConsole } from "./console-client.ts";
import { leavePastClicks, type PastClicks } from "./past-clicks.ts";
import { until } from "./until.ts";

const DAY_MS = 86_400_000;

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

export interface ReportServer extends ConsoleServer {
  readonly sale: Link;
  readonly bare: Link;
}

/** 25 clicks in the last days on two links, four by bots, and 20 clicks in the month before. */
export async function startWithClicks(): Promise<ReportServer> {
  const console = await startConsole();
  const create = (body: object) => console.owner.do(createLink, { body });
  const sale = await create({ destination_url: "https://example.com/sale", title: "Spring sale", tags: ["spring"] });
  const bare = await create({ destination_url: "https://example.com/", slug: "bare-link" });
  const reader = { country: "DE", referrer: "news.example", browser: "Firefox", os: "Linux", language: "de" };
  const scanner = {
    country: "FR",
    device: "mobile",
    browser: "Safari",
    os: "iOS",
    language: "fr",
    source: "qr",
  } as const;
  const chatter = { country: "DE", referrer: "chat.example", device: "mobile", browser: "Chrome", os: "Android" };
  await leavePastClicks(console.server, [
    { link: sale.id, at: daysAgo(1), times: 12, ...reader, utm_campaign: "launch" },
    { link: sale.id, at: daysAgo(2), times: 6, ...scanner },
    { link: bare.id, at: daysAgo(3), times: 7, ...chatter },
    { link: sale.id, at: daysAgo(2), times: 4, bot: true },
    { link: sale.id, at: daysAgo(40), times: 20, ...reader },
  ]);
  await until("the clicks are in reports", async () => {
    const query = { interval: "1y", include_bots: "true" };
    return (await console.owner.do(getAccountAnalytics, { query })).totals.clicks === 49;
  });
  return { ...console, sale, bare };
}

/** All clicks on a link of the owner. The parts of a page are answered one by one, so all of them must find the clicks. */
export async function leaveClicks(
  { owner, server }: ConsoleServer,
  id: string,
  clicks: readonly Omit<PastClicks, "link">[],
): Promise<void> {
  await leavePastClicks(
    server,
    clicks.map((click) => ({ link: id, ...click })),
  );
  const left = clicks.reduce((sum, { times = 1 }) => sum + times, 0);
  await until("the clicks are in reports", async () => {
    const { totals } = await owner.do(getLinkAnalytics, { params: { id }, query: { interval: "30d" } });
    return totals.clicks === left;
  });
}
