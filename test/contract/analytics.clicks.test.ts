import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnalyticsReport, Link, LinksAnalyticsQuery } from "#sdk/generated.ts";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { click, untilReported, userAgents } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

let api: Api;
let caller: Caller;
let link: Link;

const from = (address: string) => ({ "X-Forwarded-For": address });
// From networks assigned to Germany and France decades ago.
const GERMANY = from("141.20.1.1");
const FRANCE = from("193.51.0.1");

/** All visits in these tests; four are by bots, and one doesn't count at all. */
const visits = [
  { headers: { ...GERMANY, "Accept-Language": "de-DE,en;q=0.5", Referer: "https://News.example:8443/secret?q=1" } },
  { headers: { ...GERMANY, "Accept-Language": "de-DE", Referer: "https://news.example/other" } },
  { headers: { ...GERMANY, "User-Agent": userAgents.firefox, "Accept-Language": "fr;q=0.4, en-GB" }, query: "?qr=1" },
  { headers: { ...FRANCE, "User-Agent": userAgents.iphone }, query: "?utm_source=%3DSUM(A1)&utm_campaign=a,%22b%22" },
  { headers: { ...FRANCE, "Sec-GPC": "1", Referer: "https://shop.example/", "Accept-Language": "fr" } },
  { headers: { ...FRANCE, DNT: "1", Referer: "https://shop.example/" }, query: "?qr=1&utm_source=mail" },
  { headers: { "User-Agent": userAgents.googlebot } },
  { headers: { "User-Agent": userAgents.slackbot }, query: "?qr=1" },
  { headers: { "User-Agent": "" } },
  { headers: { ...GERMANY, "Sec-Purpose": "prefetch;prerender" } },
  { method: "HEAD" },
];
const PEOPLE = 6;
const BOTS = 4;

beforeAll(async () => {
  api = await startApi({ KURZ_TRUST_PROXY: "1" });
  caller = await api.newCaller();
  link = await newLink(caller.kurz, { utm: { utm_medium: "print" } });
  for (const visit of visits) expect((await click(api.server, link, visit)).status).toBe(302);
  await untilReported(caller.kurz, PEOPLE + BOTS);
});
afterAll(() => api.stop());

const report = (query: Omit<LinksAnalyticsQuery, "format"> = {}): Promise<AnalyticsReport> =>
  caller.kurz.links.analytics(link.id, { interval: "24h", ...query });
const clicksOf = async (query: Omit<LinksAnalyticsQuery, "format">): Promise<number> =>
  (await report(query)).totals.clicks;

/** The keys of a breakdown with their clicks, as in `DE 3`. */
async function breakdown(name: keyof AnalyticsReport["breakdowns"] & string, limit = 10): Promise<string[]> {
  const { breakdowns } = await report({ group_by: [name as "country"], limit });
  return breakdowns[name]?.items.map(({ key, clicks }) => `${key} ${clicks}`) ?? [];
}

const sum = (parts: readonly { readonly clicks: number }[]): number =>
  parts.reduce((total, { clicks }) => total + clicks, 0);

describe("a report counts", () => {
  test("GET requests by people, bots separately, and HEAD not at all", async () => {
    const { scope, totals, series } = await report();
    expect(scope).toEqual({ type: "link", link_id: link.id });
    // Two visitors ask for privacy and count as nobody; the first two visits are by one visitor.
    expect(totals).toEqual({ clicks: PEOPLE, unique_visitors: 3, qr_scans: 2, bot_hits: BOTS });
    expect(sum(series)).toBe(PEOPLE);
    // Links are counted independently of reports.
    const countOf = async () => (await caller.kurz.links.get(link.id)).click_count;
    await until("the link is counted", async () => (await countOf()) >= PEOPLE);
    expect(await countOf()).toBe(PEOPLE);
  });

  test("bots as clicks if asked to, with the same bot hits", async () => {
    const { totals, series, breakdowns } = await report({ include_bots: true, group_by: ["device"] });
    expect(totals).toMatchObject({ clicks: PEOPLE + BOTS, qr_scans: 3, bot_hits: BOTS });
    expect(sum(series)).toBe(PEOPLE + BOTS);
    expect(sum(breakdowns.device?.items ?? [])).toBe(PEOPLE + BOTS);
  });

  test("a click in its own bucket, and nothing after the end", async () => {
    const { series, period } = await report({ interval: "24h" });
    const hours = series.filter(({ clicks }) => clicks > 0).map(({ start }) => Date.now() - Date.parse(start));
    for (const ago of hours) expect(ago).toBeWithin(0, 2 * 3_600_000);
    expect(series.length).toBeWithin(24, 26);
    const before = await caller.kurz.links.analytics(link.id, { from: "2026-01-01", to: link.created_at });
    expect(before.totals).toEqual({ clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 });
    expect(Date.parse(period.to)).toBeGreaterThan(Date.parse(link.created_at));
  });

  test("the previous range too, if asked to compare", async () => {
    const { period, previous } = await report({ compare: "previous" });
    expect(previous?.period.to).toBe(period.from);
    expect(previous?.totals.clicks).toBe(0);
  });
});

describe("a breakdown", () => {
  test.each([
    ["country", ["DE 3", "FR 3"]],
    ["region", ["null 6"]],
    ["city", ["null 6"]],
    ["referrer", ["null 4", "news.example 2"]],
    ["device", ["desktop 5", "mobile 1"]],
    ["browser", ["Chrome 2", "null 2", "Firefox 1", "Safari 1"]],
    ["os", ["null 2", "Windows 2", "Linux 1", "iOS 1"]],
    ["language", ["null 2", "de 2", "en 1", "fr 1"]],
    ["source", ["link 4", "qr 2"]],
    ["utm_source", ["null 4", "=SUM(A1) 1", "mail 1"]],
    ["utm_medium", ["print 6"]],
    ["utm_campaign", ["null 5", 'a,"b" 1']],
    ["utm_term", ["null 6"]],
    ["utm_content", ["null 6"]],
    ["rule", ["null 6"]],
  ])("by %s has what visitors sent, without those who ask for privacy", async (name, expected) => {
    expect((await breakdown(name)).toSorted()).toEqual(expected.toSorted());
  });

  test("can leave out visitors, which the totals still have", async () => {
    const { breakdowns, totals } = await report({ group_by: ["country"], breakdown_visitors: false });
    expect(breakdowns.country?.items).toEqual([
      { key: "DE", clicks: 3, unique_visitors: null },
      { key: "FR", clicks: 3, unique_visitors: null },
    ]);
    expect(totals.unique_visitors).toBe(3);
  });

  test("has as many keys as asked for, and sums up the rest", async () => {
    const { breakdowns } = await report({ group_by: ["country", "browser"], limit: 1 });
    expect(Object.keys(breakdowns)).toEqual(["country", "browser"]);
    for (const { items, other_clicks } of Object.values(breakdowns)) {
      expect(items).toHaveLength(1);
      expect(sum(items) + other_clicks).toBe(PEOPLE);
    }
  });
});

describe("filters", () => {
  test("match any value of one name, and all names together", async () => {
    expect(await clicksOf({ country: ["DE"] })).toBe(3);
    expect(await clicksOf({ country: ["DE", "FR"] })).toBe(6);
    expect(await clicksOf({ country: ["DE"], browser: ["Firefox"] })).toBe(1);
    expect(await clicksOf({ country: ["FR"], browser: ["Firefox"] })).toBe(0);
    expect(await clicksOf({ city: ["'; drop table clicks; --"] })).toBe(0);
    expect(await clicksOf({ utm_source: ["=SUM(A1)"], utm_campaign: ['a,"b"'], utm_medium: ["print"] })).toBe(1);
  });

  test("match clicks without a value by an empty one", async () => {
    expect(await clicksOf({ referrer: [""] })).toBe(4);
    expect(await clicksOf({ referrer: ["", "news.example"] })).toBe(6);
    expect(await clicksOf({ country: [""] })).toBe(0);
  });

  test("apply to every part of the report", async () => {
    const given = await report({ source: ["qr"], group_by: ["source", "country"], compare: "previous" });
    expect(given.totals).toEqual({ clicks: 2, unique_visitors: 1, qr_scans: 2, bot_hits: 1 });
    expect(sum(given.series)).toBe(2);
    expect(given.breakdowns.source?.items).toEqual([{ key: "qr", clicks: 2, unique_visitors: 1 }]);
  });
});

describe("as CSV", () => {
  const csv = (query: string) =>
    api.call({ path: `/api/v1/links/${link.id}/analytics?format=csv&${query}`, token: caller.token });

  test("a report is a named file with a header row and CRLF", async () => {
    const { status, headers, text } = await csv("group_by=country");
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${link.id}-by-country.csv"`);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(text).toBe("country,clicks,unique_visitors\r\nDE,3,2\r\nFR,3,1\r\n");
  });

  test("a breakdown has quotes if needed, and no formula", async () => {
    const sources = (await csv("group_by=utm_source")).text.split("\r\n");
    expect(sources).toContain("'=SUM(A1),1,1");
    expect(sources).toContain(",4,2");
    expect((await csv("group_by=utm_campaign")).text).toContain('\r\n"a,""b""",1,1\r\n');
  });

  test("the series is returned if no breakdown is asked for", async () => {
    const { text, headers } = await csv("interval=7d");
    const [head, ...rows] = text.trimEnd().split("\r\n");
    expect(head).toBe("start,clicks,unique_visitors,qr_scans,bot_hits");
    expect(rows).toHaveLength(8);
    for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z,\d+,\d+,\d+,\d+$/);
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${link.id}-by-day.csv"`);
    expect(rows.reduce((total, row) => total + Number(row.split(",")[1]), 0)).toBe(PEOPLE);
  });

  test("errors stay JSON, and HEAD has the same headers", async () => {
    expect((await csv("limit=0")).headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    const path = `/api/v1/links/${link.id}/analytics?format=csv`;
    const head = await api.call({ method: "HEAD", path, token: caller.token });
    expect([head.status, head.text, head.headers.get("Content-Type")]).toEqual([200, "", "text/csv; charset=utf-8"]);
  });

  test("the SDK returns it as text", async () => {
    const text = await caller.kurz.analytics.get({ format: "csv", group_by: ["link"], interval: "24h" });
    expect(text).toBe(`link,clicks,unique_visitors\r\n${link.id},${PEOPLE},3\r\n`);
  });
});

test("nothing that could identify a visitor is in the data directory or the log", async () => {
  const { dataDir, output } = api.server;
  const names = ["141.20.1.1", "193.51.0.1", "AppleWebKit", "secret?q=1"];
  const { stdout } = Bun.spawnSync(["grep", "-rlaF", ...names.flatMap((name) => ["-e", name]), dataDir]);
  expect(stdout.toString()).toBe("");
  for (const name of names) expect(output.stdout + output.stderr).not.toContain(name);
});
