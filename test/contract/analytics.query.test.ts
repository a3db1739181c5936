import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AnalyticsGetQuery, AnalyticsReport, Link } from "#sdk/generated.ts";
import { type Api, type Caller, errorOf, fieldErrorsOf, newLink, startApi } from "#test/support/api-client.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let api: Api;
let caller: Caller;
let link: Link;
let paths: readonly string[];

beforeAll(async () => {
  api = await startApi();
  caller = await api.newCaller();
  link = await newLink(caller.kurz);
  paths = ["/api/v1/analytics", `/api/v1/links/${link.id}/analytics`];
});
afterAll(() => api.stop());

/** What is wrong with a query: the same for both reports. */
async function refused(query: string): Promise<string[]> {
  const [account, ofLink] = await Promise.all(
    paths.map(async (path) => {
      const answer = await api.call({ path: `${path}?${query}`, token: caller.token });
      expect([query, answer.status]).toEqual([query, 422]);
      return fieldErrorsOf(errorOf(answer));
    }),
  );
  expect(ofLink).toEqual(account ?? []);
  return account ?? [];
}

const report = (query: Omit<AnalyticsGetQuery, "format">): Promise<AnalyticsReport> => caller.kurz.analytics.get(query);
const startsOf = ({ series }: AnalyticsReport): string[] => series.map(({ start }) => start);
const lengthOf = ({ period }: AnalyticsReport): number => Date.parse(period.to) - Date.parse(period.from);

/** Hours between the starts of a series. */
const stepsOf = (given: AnalyticsReport): number[] => {
  const starts = startsOf(given).map((start) => Date.parse(start));
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR_MS);
};

describe("the range of a report", () => {
  test("is the last 30 days by day when nothing is asked for", async () => {
    const given = await report({});
    expect(lengthOf(given)).toBe(30 * DAY_MS);
    expect(Math.abs(Date.parse(given.period.to) - Date.now())).toBeLessThan(60_000);
    expect(given.period).toMatchObject({ timezone: "UTC", granularity: "day" });
    expect(given.series).toHaveLength(31);
    expect(given.breakdowns).toEqual({});
    expect("previous" in given).toBe(false);
  });

  test("can be chosen by a word, which also settles the granularity", async () => {
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

  test("can start with the month or the year of the time zone", async () => {
    for (const [interval, start] of [
      ["mtd", /-01T00:00:00$/],
      ["ytd", /-01-01T00:00:00$/],
    ] as const) {
      const { period } = await report({ interval, timezone: "Asia/Tokyo" });
      expect(new Date(Date.parse(period.from) + 9 * HOUR_MS).toISOString().slice(0, 19)).toMatch(start);
    }
  });

  test("is all there is since the creation of the account or the link", async () => {
    const ofLink = await caller.kurz.links.analytics(link.id, { interval: "all" });
    expect(ofLink.period.from).toBe(link.created_at);
    const ofAccount = await report({ interval: "all" });
    expect(Date.parse(ofAccount.period.from)).toBeLessThanOrEqual(Date.parse(link.created_at));
    expect(Date.now() - Date.parse(ofAccount.period.from)).toBeLessThan(HOUR_MS);
    expect(ofAccount.period.granularity).toBe("hour");
  });

  test("can be given by dates of the time zone or by instants, the end not included", async () => {
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

  test("may be empty, and then has no series", async () => {
    const given = await report({ from: "2026-01-01", to: "2026-01-01", group_by: ["country"] });
    expect(given.series).toEqual([]);
    expect(given.totals).toEqual({ clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 });
    expect(given.breakdowns).toEqual({ country: { items: [], other_clicks: 0 } });
  });

  test("may lie in the past or the future: zeros are the answer", async () => {
    const given = await report({ from: "2031-01-01", to: "2031-01-04", granularity: "day" });
    expect(given.series).toEqual(
      ["01", "02", "03"].map((day) => ({ start: `2031-01-${day}T00:00:00.000Z`, clicks: 0, unique_visitors: 0 })),
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

  test("has days, weeks and months that start at local midnight, also across the change", async () => {
    const days = await report({ from: "2026-10-24", to: "2026-10-27", timezone: "Europe/Berlin", granularity: "day" });
    expect(startsOf(days)).toEqual([
      "2026-10-23T22:00:00.000Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
    const week = await report({ from: "2026-03-25", to: "2026-04-07", timezone: "Europe/Berlin", granularity: "week" });
    // From Monday to Monday; the first one lies before the range.
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

  test("keeps to zones with half hours and with summer time of half an hour", async () => {
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

  test("has a thousand steps at most", async () => {
    expect((await report({ from: "2026-01-01", to: "2026-02-11T16:00:00Z", granularity: "hour" })).series.length).toBe(
      1000,
    );
    expect(await refused("from=2026-01-01&to=2026-02-11T16:00:00.001Z&granularity=hour")).toEqual([
      "query granularity range_too_large",
    ]);
    expect(await refused("from=2020-01-01&to=2023-01-01&granularity=day")).toEqual([
      "query granularity range_too_large",
    ]);
    expect(await refused("from=1900-01-01&to=2026-01-01")).toEqual(["query from range_too_large"]);
    expect(await refused("interval=1y&granularity=hour")).toEqual(["query granularity range_too_large"]);
  });
});

describe("a comparison", () => {
  test("has the totals of the range of the same length right before", async () => {
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

describe("a query is refused, naming the parameter, when", () => {
  test.each([
    ["the interval is none of the words", "interval=1w", "query interval not_in_enum"],
    ["the interval is empty", "interval=", "query interval not_in_enum"],
    ["interval and from stand together", "interval=7d&from=2026-01-01", "query interval duplicate_parameter"],
    ["interval and to stand together", "interval=7d&to=2026-01-01", "query interval duplicate_parameter"],
    ["the end stands alone", "to=2026-01-01", "query from required"],
    ["the start is no date", "from=yesterday", "query from invalid_format"],
    ["the start is a date that is not", "from=2026-02-30", "query from invalid_format"],
    ["the start is empty", "from=", "query from invalid_format"],
    ["an instant has no offset", "from=2026-01-01T00:00:00", "query from invalid_format"],
    ["the plus of an offset was not encoded", "from=2026-01-01T00:00:00+02:00", "query from invalid_format"],
    ["the start is a number", "from=1767225600000", "query from invalid_format"],
    ["the end is no date", "from=2026-01-01&to=2026-13-01", "query to invalid_format"],
    ["the end lies before the start", "from=2026-01-02&to=2026-01-01", "query to out_of_range"],
    ["the start lies in the future", "from=2999-01-01", "query from out_of_range"],
    ["the start lies in another age", "from=0001-01-01", "query from out_of_range"],
    ["the time zone does not exist", "timezone=Mars/Olympus", "query timezone invalid_timezone"],
    ["the time zone is an offset", "timezone=%2B02:00", "query timezone invalid_timezone"],
    ["the time zone is empty", "timezone=", "query timezone invalid_timezone"],
    ["the time zone is a path", "timezone=../../etc/passwd", "query timezone invalid_timezone"],
    ["the granularity is unknown", "granularity=minute", "query granularity not_in_enum"],
    ["the limit is 0", "limit=0", "query limit out_of_range"],
    ["the limit is 101", "limit=101", "query limit out_of_range"],
    ["the limit is no number", "limit=ten", "query limit type"],
    ["the limit is no whole number", "limit=1.5", "query limit type"],
    ["the dimension is unknown", "group_by=colour", "query group_by.0 not_in_enum"],
    ["dimensions are joined", "group_by=country,os", "query group_by.0 not_in_enum"],
    ["bots are neither true nor false", "include_bots=yes", "query include_bots type"],
    ["the comparison is unknown", "compare=year", "query compare not_in_enum"],
    ["the format is unknown", "format=xml", "query format not_in_enum"],
    ["a filter is too long", `referrer=${"a".repeat(256)}`, "query referrer.0 too_long"],
    ["the device is none that is told apart", "device=watch", "query device.0 not_in_enum"],
    ["one of several devices is in capitals", "device=mobile&device=Tablet", "query device.1 not_in_enum"],
    ["the source is unknown", "source=mail", "query source.0 not_in_enum"],
    ["a filter has too many values", `os=${"x&os=".repeat(100)}x`, "query os too_long"],
    ["the parameter is unknown", "colour=red", "query colour unknown_field"],
    ["the parameter is spelled in capitals", "Interval=7d", "query Interval unknown_field"],
    ["a single one is repeated", "timezone=UTC&timezone=UTC", "query timezone duplicate_parameter"],
    ["CSV is to hold two breakdowns", "format=csv&group_by=os&group_by=country", "query group_by too_long"],
  ])("%s", async (_, query, expected) => {
    expect(await refused(query)).toEqual([expected]);
  });

  test("several parameters are wrong, and then names them all", async () => {
    expect(await refused("limit=0&format=xml&colour=red")).toEqual([
      "query colour unknown_field",
      "query format not_in_enum",
      "query limit out_of_range",
    ]);
    expect(await refused("timezone=Nowhere&from=x&to=y")).toEqual([
      "query from invalid_format",
      "query timezone invalid_timezone",
      "query to invalid_format",
    ]);
    expect(await refused("limit=0&timezone=Nowhere&from=x&format=csv&group_by=os&group_by=country")).toEqual([
      "query from invalid_format",
      "query group_by too_long",
      "query limit out_of_range",
      "query timezone invalid_timezone",
    ]);
    expect(await refused("interval=7d&interval=7d&timezone=Nowhere")).toEqual([
      "query interval duplicate_parameter",
      "query timezone invalid_timezone",
    ]);
  });

  test("one link is to be grouped or filtered by link or tag", async () => {
    const path = `/api/v1/links/${link.id}/analytics`;
    for (const [query, expected] of [
      ["group_by=link", "query group_by.0 not_in_enum"],
      ["group_by=tag", "query group_by.0 not_in_enum"],
      [`link=${link.id}`, "query link unknown_field"],
      ["tag=spring", "query tag unknown_field"],
    ] as const) {
      const answer = await api.call({ path: `${path}?${query}`, token: caller.token });
      expect(fieldErrorsOf(errorOf(answer))).toEqual([expected]);
    }
  });

  test("nothing is the matter with a dimension named twice", async () => {
    const given = await report({ group_by: ["country", "country"] });
    expect(Object.keys(given.breakdowns)).toEqual(["country"]);
  });
});

test("every example of the documentation is answered", async () => {
  const page = await Bun.file(join(import.meta.dir, "..", "..", "docs", "analytics.md")).text();
  const addresses = [...page.matchAll(/"(?:\$API|http:\/\/localhost:8080\/api\/v1)(\/[^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses) {
    const path = `/api/v1${address.replace("$LINK", link.id)}`;
    expect([path, (await api.call({ path, token: caller.token })).status]).toEqual([path, 200]);
  }
});

test("reports need the scope analytics:read and nothing else", async () => {
  const { token } = await api.newCaller({ scopes: "analytics:read" });
  expect((await api.call({ path: "/api/v1/analytics", token })).status).toBe(200);
  const { token: other } = await api.newCaller({ scopes: "links:read,links:write" });
  const refusal = await api.call({ path: "/api/v1/analytics", token: other });
  expect(errorOf(refusal)).toMatchObject({
    code: "insufficient_scope",
    details: { required_scope: "analytics:read" },
  });
});
