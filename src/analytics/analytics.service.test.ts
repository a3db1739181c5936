import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AccountAnalyticsQuery,
  AnalyticsReport,
  getAccountAnalytics,
  getLinkAnalytics,
  type LinkAnalyticsQuery,
} from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import { type ClicksEngine, ClicksMigrating, ClicksUnavailable } from "#engines/clicks/clicks-engine.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { toResponse } from "#http/to-response.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { clickPart } from "#test/support/click-slices.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { analyticsRoutes } from "./analytics.routes.ts";
import { type AnalyticsService, analyticsService } from "./analytics.service.ts";

const NOW = Date.parse("2026-05-17T12:00:00.000Z");
const HOUR_MS = 3_600_000;
// Decades of buckets take seconds on a busy machine.
const TIMEOUT_MS = 600_000;

let store: TestRecords;
let clicks: ClicksEngine;
let directory = "";
let analytics: AnalyticsService;
let links: LinkService;
let caller: Caller;
let first: Link;
let second: Link;
let offset = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-analytics-"));
  store = openTestRecords();
  clicks = openDuckDbClicks({ path: join(directory, CLICKS_FILE), batchDirectory: directory });
  const created = NOW - 20 * 24 * HOUR_MS;
  links = testLinkService(store.records, () => created);
  analytics = analyticsService({ records: store.records, clicks, clock: () => NOW, ownDomain: "s.example" });
});
afterAll(async () => {
  await clicks.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  caller = await newTestCaller(store.records);
  first = await createTestLink(links, caller, { tags: ["Spring"] });
  second = await createTestLink(links, caller);
});

const linkQuery = (query: Partial<LinkAnalyticsQuery> = {}) => getLinkAnalytics.query.parse(query);
const accountQuery = (query: Partial<AccountAnalyticsQuery> = {}) => getAccountAnalytics.query.parse(query);

const numberOf = async ({ id }: Link): Promise<number> =>
  (await store.records.read.selectFrom("links").select("no").where("id", "=", id).executeTakeFirstOrThrow()).no;

/** Clicks as [hours before now, country, visitor, bot]. */
type Shot = readonly [hoursAgo: number, country: string, visitor: string, bot?: 1];

async function click(link: Link, shots: readonly Shot[]): Promise<void> {
  const no = await numberOf(link);
  const made = shots.map(([hoursAgo, country, visitor, bot]) => ({
    ...plainClick,
    at_ms: NOW - hoursAgo * HOUR_MS,
    account_no: caller.accountNo,
    link_no: no,
    bot: bot === 1,
    visitor: visitor.padStart(16, "0"),
    country,
    device: "",
    source: "qr" as const,
  }));
  offset += 1;
  await clicks.ingest({ parts: [clickPart(made, "a", offset)] });
}

/** As [domain, rule] of one click each. */
async function clickOn(link: Link, leads: readonly (readonly [domain: string, rule: string])[]): Promise<void> {
  const no = await numberOf(link);
  const numbers = { at_ms: NOW - HOUR_MS, account_no: caller.accountNo, link_no: no };
  offset += 1;
  const made = leads.map(([domain, rule]) => ({ ...plainClick, ...numbers, domain, rule }));
  await clicks.ingest({ parts: [clickPart(made, "a", offset)] });
}

const problemOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => (error instanceof ApiError ? { code: error.code, details: error.details } : error),
  );

describe("domains and rules", () => {
  beforeEach(async () => {
    await clickOn(first, [
      ["", ""],
      ["", "ios"],
      ["", "test/a"],
    ]);
    await clickOn(second, [
      ["go.acme.example", "ios"],
      ["xn--mnchen-3ya.example", ""],
    ]);
  });

  const keysOf = ({ breakdowns }: AnalyticsReport, name: string) =>
    breakdowns[name]?.items.map(({ key, clicks }) => `${key} ${clicks}`);
  const clicksWith = async (query: Partial<AccountAnalyticsQuery>): Promise<number> =>
    (await analytics.ofAccount(caller, accountQuery(query))).totals.clicks;

  test("are dimensions of the account's report, and the instance's own domain has its name", async () => {
    const report = await analytics.ofAccount(caller, accountQuery({ group_by: ["domain", "rule"] }));
    expect(keysOf(report, "domain")).toEqual(["s.example 3", "go.acme.example 1", "xn--mnchen-3ya.example 1"]);
    expect(keysOf(report, "rule")).toEqual(["ios 2", "null 2", "test/a 1"]);
  });

  test("are filters, of domains in any case and spelling", async () => {
    for (const own of ["S.Example", "s.example.", "s.example:443"]) expect(await clicksWith({ domain: [own] })).toBe(3);
    expect(await clicksWith({ domain: ["s.example", "GO.acme.example"] })).toBe(4);
    expect(await clicksWith({ domain: ["München.example"] })).toBe(1);
    expect(await clicksWith({ domain: ["other.example", "not a name", "a..b/"] })).toBe(0);
    expect(await clicksWith({ rule: ["ios"] })).toBe(2);
    expect(await clicksWith({ rule: [""], domain: ["s.example"] })).toBe(1);
    expect(getAccountAnalytics.query.safeParse({ domain: [""] }).success).toBe(false);
  });

  test("of a link: rules only, for its domain never changes", async () => {
    const report = await analytics.ofLink(caller, first.id, linkQuery({ group_by: ["rule"], rule: ["ios", ""] }));
    expect(keysOf(report, "rule")).toEqual(["ios 1", "null 1"]);
    expect(getLinkAnalytics.query.safeParse({ group_by: ["domain"] }).success).toBe(false);
    expect(getLinkAnalytics.query.safeParse({ domain: ["s.example"] }).success).toBe(false);
  });
});

describe("a link's analytics", () => {
  test("contain its clicks by day, and the requested breakdowns", async () => {
    await click(first, [
      [1, "DE", "a"],
      [2, "DE", "a"],
      [26, "FR", "b"],
      [27, "", "c", 1],
    ]);
    await click(second, [[1, "US", "f"]]);
    const query = linkQuery({ interval: "7d", group_by: ["country", "country"], limit: 1, compare: "previous" });
    const report = await analytics.ofLink(caller, first.id, query);
    expect(AnalyticsReport.parse(report)).toEqual(report);
    expect(report).toMatchObject({
      scope: { type: "link", link_id: first.id },
      period: { from: "2026-05-10T12:00:00.000Z", to: "2026-05-17T12:00:00.000Z", timezone: "UTC", granularity: "day" },
      totals: { clicks: 3, unique_visitors: 2, qr_scans: 3, bot_hits: 1 },
      breakdowns: { country: { items: [{ key: "DE", clicks: 2, unique_visitors: 1 }], other_clicks: 1 } },
      previous: {
        period: { from: "2026-05-03T12:00:00.000Z", to: "2026-05-10T12:00:00.000Z" },
        totals: { clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 },
      },
    });
    expect(report.series).toHaveLength(8);
    expect(report.series.slice(-2)).toEqual([
      { start: "2026-05-16T00:00:00.000Z", clicks: 1, unique_visitors: 1, qr_scans: 1, bot_hits: 1 },
      { start: "2026-05-17T00:00:00.000Z", clicks: 2, unique_visitors: 1, qr_scans: 2, bot_hits: 0 },
    ]);
  });

  test("count each hour of the week in the report's time zone, if requested", async () => {
    // Sunday noon in UTC is 21:00 in Tokyo.
    await click(first, [
      [0.5, "DE", "a"],
      [1, "DE", "b"],
      [13, "DE", "c"],
      [1, "", "d", 1],
    ]);
    const hoursOf = async (query: Partial<LinkAnalyticsQuery>) => {
      const { week_hours = [] } = await analytics.ofLink(caller, first.id, linkQuery({ interval: "7d", ...query }));
      return week_hours.flatMap((hours, day) =>
        hours.flatMap((count, hour) => (count > 0 ? `${day} ${hour}: ${count}` : [])),
      );
    };
    expect(await hoursOf({})).toEqual([]);
    expect(await hoursOf({ week_hours: true })).toEqual(["5 23: 1", "6 11: 2"]);
    expect(await hoursOf({ week_hours: true, timezone: "Asia/Tokyo" })).toEqual(["6 8: 1", "6 20: 2"]);
    expect(await hoursOf({ week_hours: true, include_bots: true })).toEqual(["5 23: 1", "6 11: 3"]);
  });

  test(
    "over all time contain every click, even those before its creation or in the future, and those stored as counts",
    async () => {
      const ahead = 40 * 24;
      const hours = [1, -1, 24, -24, -ahead, 20 * 24 + 1, 20 * 24 + 24, (NOW - Date.UTC(1970, 0, 1, 3)) / HOUR_MS];
      await click(
        first,
        hours.map((hoursAgo, index) => [hoursAgo, "DE", String(index)]),
      );
      await click(second, [[1, "DE", "f"]]);
      const all = linkQuery({ interval: "all", group_by: ["country"] });
      const check = async (): Promise<void> => {
        const report = await analytics.ofLink(caller, first.id, all);
        expect(report.totals.clicks).toBe(hours.length);
        expect(report.series.reduce((sum, bucket) => sum + bucket.clicks, 0)).toBe(hours.length);
        expect(report.breakdowns.country?.items).toMatchObject([{ key: "DE", clicks: hours.length }]);
        expect(report.period.from.slice(0, 10)).toBe("1970-01-01");
        expect(report.period.to.slice(0, 10)).toBe("2026-06-26");
        const whole = await analytics.ofAccount(caller, accountQuery({ interval: "all" }));
        expect(whole.totals.clicks).toBe(hours.length + 1);
      };
      await check();
      await clicks.compact(NOW + 100 * 24 * HOUR_MS);
      await check();
    },
    TIMEOUT_MS,
  );

  test("up to now contain no future click", async () => {
    await click(first, [
      [1, "DE", "a"],
      [-1, "DE", "b"],
    ]);
    expect((await analytics.ofLink(caller, first.id, linkQuery({ interval: "24h" }))).totals.clicks).toBe(1);
  });

  test("over all time start at its creation", async () => {
    const report = await analytics.ofLink(caller, first.id, linkQuery({ interval: "all" }));
    expect(report.period.from).toBe(first.created_at);
    expect(report.breakdowns).toEqual({});
    expect(report.previous).toBeUndefined();
  });

  test("are not found for another account's link, or for none", async () => {
    const stranger = await newTestCaller(store.records);
    for (const [who, id] of [
      [stranger, first.id],
      [caller, "lnk_nothing"],
    ] as const) {
      expect(await problemOf(analytics.ofLink(who, id, linkQuery()))).toEqual({
        code: "not_found",
        details: undefined,
      });
    }
  });

  test("report an invalid query before looking up the link", async () => {
    const broken = linkQuery({ timezone: "Mars/Olympus", interval: "all" });
    expect(await problemOf(analytics.ofLink(caller, "lnk_nothing", broken))).toMatchObject({
      code: "validation_failed",
      details: { errors: [{ location: "query", field: "timezone", code: "invalid_timezone" }] },
    });
    const wide = linkQuery({ format: "csv", group_by: ["country", "os"] });
    expect(await problemOf(analytics.ofLink(caller, first.id, wide))).toMatchObject({
      code: "validation_failed",
      details: { errors: [{ field: "group_by" }] },
    });
  });

  test("reject hourly buckets since a creation long ago", async () => {
    const old = await createTestLink(
      testLinkService(store.records, () => NOW - 50 * 24 * HOUR_MS),
      caller,
    );
    const query = linkQuery({ interval: "all", granularity: "hour" });
    expect(await problemOf(analytics.ofLink(caller, old.id, query))).toMatchObject({
      details: { errors: [{ field: "granularity", code: "range_too_large" }] },
    });
  });

  test("filter by a value in any case, by several values, and by no value", async () => {
    await click(first, [
      [1, "DE", "a"],
      [1, "FR", "b"],
      [1, "", "c"],
    ]);
    const count = async (country: string[]) =>
      (await analytics.ofLink(caller, first.id, linkQuery({ country }))).totals.clicks;
    const chosen = [["DE"], ["de"], ["DE", "FR"], [""], ["XX"]];
    expect(await Promise.all(chosen.map(count))).toEqual([1, 1, 2, 1, 0]);
  });

  test("are unavailable if the engine is", async () => {
    const refuse = () => Promise.reject(new ClicksUnavailable("busy"));
    async function* refuseAll() {
      yield await refuse();
    }
    const busy = { report: refuse, findOutside: refuse, breakdown: refuseAll };
    const service = analyticsService({
      records: store.records,
      clicks: busy,
      clock: () => NOW,
      ownDomain: "s.example",
    });
    for (const query of [linkQuery(), linkQuery({ interval: "all" })]) {
      expect(await problemOf(service.ofLink(caller, first.id, query))).toMatchObject({ code: "unavailable" });
    }
    const { items } = await service.wholeBreakdownOfLink(caller, first.id, linkQuery({ group_by: ["country"] }));
    expect(await problemOf(items.next())).toMatchObject({ code: "unavailable" });
  });

  test("are unavailable during a migration, and say how far it is", async () => {
    const refuse = () => Promise.reject(new ClicksMigrating(43));
    const migrating = {
      report: refuse,
      findOutside: refuse,
      breakdown: () => Promise.reject(new ClicksMigrating(43)) as never,
    };
    const service = analyticsService({
      records: store.records,
      clicks: migrating,
      clock: () => NOW,
      ownDomain: "s.example",
    });
    await expect(service.ofLink(caller, first.id, linkQuery())).rejects.toThrow("43 % are done");
  });
});

describe("an account's analytics", () => {
  beforeEach(async () => {
    await click(first, [
      [1, "DE", "a"],
      [1, "DE", "b"],
    ]);
    await click(second, [[1, "DE", "a"]]);
    const tags = await Promise.all(
      [first, second].map(async (link) => ({
        accountNo: caller.accountNo,
        linkNo: await numberOf(link),
        tags: link.tags.map((tag) => tag.toLowerCase()),
      })),
    );
    await clicks.setLinkTags(tags, offset);
  });

  test("list links by id and tags in lower case", async () => {
    const report = await analytics.ofAccount(caller, accountQuery({ group_by: ["link", "tag"] }));
    expect(report.scope).toEqual({ type: "account" });
    expect(report.totals).toMatchObject({ clicks: 3, unique_visitors: 2 });
    expect(report.breakdowns).toEqual({
      link: {
        items: [
          { key: first.id, clicks: 2, unique_visitors: 2 },
          { key: second.id, clicks: 1, unique_visitors: 1 },
        ],
        other_clicks: 0,
      },
      tag: {
        items: [
          { key: "spring", clicks: 2, unique_visitors: 2 },
          { key: null, clicks: 1, unique_visitors: 1 },
        ],
        other_clicks: 0,
      },
    });
  });

  test("filter by link and tag; those of other accounts match nothing", async () => {
    const stranger = await newTestCaller(store.records);
    const foreign = await createTestLink(links, stranger);
    const count = async (query: Partial<AccountAnalyticsQuery>) =>
      (await analytics.ofAccount(caller, accountQuery(query))).totals.clicks;
    expect(await count({ link: [first.id] })).toBe(2);
    expect(await count({ link: [first.id, second.id, "nonsense"] })).toBe(3);
    expect(await count({ link: [foreign.id] })).toBe(0);
    expect(await count({ link: [""] })).toBe(0);
    expect(await count({ tag: ["SPRING"] })).toBe(2);
    expect(await count({ tag: [""] })).toBe(1);
    expect(await count({ tag: ["spring"], link: [second.id] })).toBe(0);
  });

  test("count clicks of a just erased link as others", async () => {
    await links.delete(caller, first.id, null, { permanent: true });
    const report = await analytics.ofAccount(caller, accountQuery({ group_by: ["link"] }));
    expect(report.breakdowns.link).toEqual({
      items: [{ key: second.id, clicks: 1, unique_visitors: 1 }],
      other_clicks: 2,
    });
  });

  test("are available as CSV with matching headings", async () => {
    const [, route] = analyticsRoutes(analytics);
    if (!route) throw new Error("no route");
    const ask = async (query: Partial<AccountAnalyticsQuery>): Promise<Response> => {
      const result = await route.handle(caller, { query: accountQuery({ format: "csv", ...query }) } as never);
      return toResponse(route.endpoint, result, {
        request: new Request("http://localhost/"),
        rawQuery: "",
        params: {},
        isHead: false,
        headers: {},
      });
    };
    const byCountry = await ask({ group_by: ["country"] });
    expect(byCountry.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await byCountry.text()).toBe("country,clicks,unique_visitors\r\nDE,3,2\r\n");
    const series = await (await ask({ interval: "24h" })).text();
    expect(series).toStartWith(
      "start,clicks,unique_visitors,qr_scans,bot_hits\r\n2026-05-16T12:00:00.000Z,0,0,0,0\r\n",
    );
    expect(series).toContain("\r\n2026-05-17T11:00:00.000Z,3,2,3,0\r\n");
  });
});
