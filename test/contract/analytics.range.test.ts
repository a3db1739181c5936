import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnalyticsGetQuery, AnalyticsReport, Link } from "#sdk/generated.ts";
import { type Api, type Caller, joinApi, newLink } from "#test/support/api-client.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let api: Api;
let caller: Caller;
let link: Link;

beforeAll(async () => {
  api = await joinApi();
  caller = await api.newCaller();
  link = await newLink(caller.kurz);
});
afterAll(() => api.stop());

const report = (query: Omit<AnalyticsGetQuery, "format">): Promise<AnalyticsReport> => caller.kurz.analytics.get(query);
const startsOf = ({ series }: AnalyticsReport): string[] => series.map(({ start }) => start);
const lengthOf = ({ period }: AnalyticsReport): number => Date.parse(period.to) - Date.parse(period.from);

/** Hours between the starts of a series. */
const stepsOf = (given: AnalyticsReport): number[] => {
  const starts = startsOf(given).map((start) => Date.parse(start));
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR_MS);
};

describe("a report's range", () => {
  test("is the last 30 days by day, by default", async () => {
    const given = await report({});
    expect(lengthOf(given)).toBe(30 * DAY_MS);
    expect(Math.abs(Date.parse(given.period.to) - Date.now())).toBeLessThan(60_000);
    expect(given.period).toMatchObject({ timezone: "UTC", granularity: "day" });
    expect(given.series).toHaveLength(31);
    expect(given.breakdowns).toEqual({});
    expect("previous" in given).toBe(false);
  });

  test("can be an interval, which also sets the granularity", async () => {
    const found = await Promise.all(
      (["24h", "7d", "30d", "90d", "1y"] as const).map(async (interval) => {
        const given = await report({ interval });
        return [interval, lengthOf(given) / DAY_MS, given.period.granularity];
      }),
    );
    const [, , , , year] = found;
    expect(found.slice(0, 4)).toEqual([
      ["24h", 1, "hour"],
      ["7d", 7, "day"],
      ["30d", 30, "day"],
      ["90d", 90, "day"],
    ]);
    expect([365, 366]).toContain(Number(year?.[1]));
    expect(year?.[2]).toBe("week");
  });

  test("can start with the month or the year in the time zone", async () => {
    for (const [interval, start] of [
      ["mtd", /-01T00:00:00$/],
      ["ytd", /-01-01T00:00:00$/],
    ] as const) {
      const { period } = await report({ interval, timezone: "Asia/Tokyo" });
      expect(new Date(Date.parse(period.from) + 9 * HOUR_MS).toISOString().slice(0, 19)).toMatch(start);
    }
  });

  test("can be everything since the account or the link was created", async () => {
    const ofLink = await caller.kurz.links.analytics(link.id, { interval: "all" });
    expect(ofLink.period.from).toBe(link.created_at);
    const ofAccount = await report({ interval: "all" });
    expect(Date.parse(ofAccount.period.from)).toBeLessThanOrEqual(Date.parse(link.created_at));
    expect(Date.now() - Date.parse(ofAccount.period.from)).toBeLessThan(HOUR_MS);
    expect(ofAccount.period.granularity).toBe("hour");
  });

  test("can be given by dates in the time zone or by instants, excluding the end", async () => {
    const dates = await report({ from: "2026-01-01", to: "2026-01-03", timezone: "America/New_York" });
    expect(dates.period).toEqual({
      from: "2026-01-01T05:00:00.000Z",
      to: "2026-01-03T05:00:00.000Z",
      timezone: "America/New_York",
      granularity: "hour",
    });
    expect(dates.series).toHaveLength(48);
    const instants = await report({ from: "2026-01-01T10:30:00+02:00", to: "2026-01-01T11:00:00.5Z" });
    expect(instants.period).toMatchObject({ from: "2026-01-01T08:30:00.000Z", to: "2026-01-01T11:00:00.500Z" });
    expect(startsOf(instants)).toEqual(["08", "09", "10", "11"].map((hour) => `2026-01-01T${hour}:00:00.000Z`));
    expect(Math.abs(Date.parse((await report({ from: "2026-01-01" })).period.to) - Date.now())).toBeLessThan(60_000);
  });

  test("has steps by its length: hours up to two days, days up to 92, weeks up to two years, then months", async () => {
    for (const [to, granularity] of [
      ["2024-01-03", "hour"],
      ["2024-01-03T00:00:00.001Z", "day"],
      ["2024-04-02", "day"],
      ["2024-04-03", "week"],
      ["2026-01-01", "week"],
      ["2026-01-02", "month"],
    ] as const) {
      expect([to, (await report({ from: "2024-01-01", to })).period.granularity]).toEqual([to, granularity]);
    }
  });

  test("may be empty, with an empty series", async () => {
    const given = await report({ from: "2026-01-01", to: "2026-01-01", group_by: ["country"] });
    expect(given.series).toEqual([]);
    expect(given.totals).toEqual({ clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 });
    expect(given.breakdowns).toEqual({ country: { items: [], other_clicks: 0 } });
  });

  test("may be in the past or the future, with zeros", async () => {
    const given = await report({ from: "2031-01-01", to: "2031-01-04", granularity: "day" });
    expect(given.series).toEqual(
      ["01", "02", "03"].map((day) => ({
        start: `2031-01-${day}T00:00:00.000Z`,
        ...{ clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 },
      })),
    );
  });
});

describe("the series", () => {
  test("has 23 hours on the day summer time starts and 25 on the day it ends", async () => {
    const hours = async (from: string, to: string, timezone: string) =>
      (await report({ from, to, timezone, granularity: "hour" })).series.length;
    expect(await hours("2026-03-29", "2026-03-30", "Europe/Berlin")).toBe(23);
    expect(await hours("2026-10-25", "2026-10-26", "Europe/Berlin")).toBe(25);
    expect(await hours("2026-03-08", "2026-03-09", "America/New_York")).toBe(23);
    expect(await hours("2026-11-01", "2026-11-02", "America/New_York")).toBe(25);
    expect(await hours("2026-03-29", "2026-03-30", "UTC")).toBe(24);
  });

  test("has days, weeks and months that start at local midnight, even across a time change", async () => {
    const days = await report({ from: "2026-10-24", to: "2026-10-27", timezone: "Europe/Berlin", granularity: "day" });
    expect(startsOf(days)).toEqual([
      "2026-10-23T22:00:00.000Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
    const week = await report({ from: "2026-03-25", to: "2026-04-07", timezone: "Europe/Berlin", granularity: "week" });
    // From Monday to Monday; the first one is before the range.
    expect(startsOf(week)[0]).toBe("2026-03-22T23:00:00.000Z");
    expect(stepsOf(week)).toEqual([167, 168]);
    const months = await report({
      from: "2026-01-15",
      to: "2026-05-01",
      timezone: "Europe/Paris",
      granularity: "month",
    });
    expect(startsOf(months).map((start) => start.slice(0, 13))).toEqual([
      "2025-12-31T23",
      "2026-01-31T23",
      "2026-02-28T23",
      "2026-03-31T22",
    ]);
  });

  test("supports offsets of half hours and summer time of half an hour", async () => {
    const kathmandu = await report({ from: "2026-01-01", to: "2026-01-02", timezone: "Asia/Kathmandu" });
    expect(startsOf(kathmandu)[0]).toBe("2025-12-31T18:15:00.000Z");
    const lordHowe = await report({
      from: "2026-04-05",
      to: "2026-04-06",
      timezone: "Australia/Lord_Howe",
      granularity: "day",
    });
    expect(lengthOf(lordHowe)).toBe(24.5 * HOUR_MS);
  });

  test("may have a thousand steps", async () => {
    expect((await report({ from: "2026-01-01", to: "2026-02-11T16:00:00Z", granularity: "hour" })).series.length).toBe(
      1000,
    );
  });
});

describe("a comparison", () => {
  test("has the totals of the preceding range of the same length", async () => {
    const given = await report({ from: "2026-03-10", to: "2026-03-20", compare: "previous" });
    expect(given.previous).toEqual({
      period: {
        from: "2026-02-28T00:00:00.000Z",
        to: "2026-03-10T00:00:00.000Z",
        timezone: "UTC",
        granularity: "day",
      },
      totals: { clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 },
    });
  });
});
