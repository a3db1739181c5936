import { describe, expect, test } from "bun:test";
import type { FieldError } from "#contract/errors.ts";
import { ApiError } from "#kernel/api-error.ts";
import { type PeriodQuery, previousRange, resolvePeriod } from "./period.ts";

const NOW = Date.parse("2026-05-17T12:34:56.789Z");
const CREATED = Date.parse("2026-02-03T04:05:06.007Z");
const moments = { nowMs: NOW, createdMs: CREATED };

const query = (fields: Partial<PeriodQuery> = {}): PeriodQuery => ({
  interval: undefined,
  from: undefined,
  to: undefined,
  granularity: undefined,
  timezone: "UTC",
  ...fields,
});

const resolve = (fields: Partial<PeriodQuery> = {}) => {
  const { fromMs, toMs, granularity, bucketStartsMs, timezone } = resolvePeriod(query(fields), moments);
  const text = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());
  return {
    from: text(fromMs),
    to: text(toMs),
    granularity,
    timezone,
    first: text(bucketStartsMs[0]),
    last: text(bucketStartsMs.at(-1)),
    buckets: bucketStartsMs.length,
  };
};

function problemsOf(fields: Partial<PeriodQuery>): string[] {
  try {
    resolvePeriod(query(fields), moments);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error;
    const { errors } = error.details as { errors: FieldError[] };
    return errors.map(({ location, field, code }) => `${location} ${field} ${code}`);
  }
}

describe("the period of a report", () => {
  test("defaults to the last thirty days, by day", () => {
    expect(resolve()).toEqual({
      from: "2026-04-17T12:34:56.789Z",
      to: "2026-05-17T12:34:56.789Z",
      granularity: "day",
      timezone: "UTC",
      first: "2026-04-17T00:00:00.000Z",
      last: "2026-05-17T00:00:00.000Z",
      buckets: 31,
    });
  });

  test.each([
    ["24h", "2026-05-16T12:34:56.789Z", "hour", 25],
    ["7d", "2026-05-10T12:34:56.789Z", "day", 8],
    ["90d", "2026-02-16T12:34:56.789Z", "day", 91],
    ["1y", "2025-05-17T12:34:56.789Z", "week", 54],
    ["mtd", "2026-05-01T00:00:00.000Z", "day", 17],
    ["ytd", "2026-01-01T00:00:00.000Z", "week", 20],
    ["all", "2026-02-03T04:05:06.007Z", "week", 15],
  ] as const)("%s ends now and has the granularity of its length", (interval, from, granularity, buckets) => {
    const period = resolve({ interval });
    expect(period).toMatchObject({ from, to: "2026-05-17T12:34:56.789Z", granularity });
    expect(Math.abs(period.buckets - buckets)).toBeLessThanOrEqual(1);
  });

  test("month and year to date start at the local midnight", () => {
    expect(resolve({ interval: "mtd", timezone: "Asia/Kathmandu" }).from).toBe("2026-04-30T18:15:00.000Z");
    expect(resolve({ interval: "ytd", timezone: "America/New_York" }).from).toBe("2026-01-01T05:00:00.000Z");
  });

  test("dates are local days, and timestamps are exact", () => {
    const timezone = "Europe/Berlin";
    expect(resolve({ from: "2026-03-28", to: "2026-03-30", timezone })).toMatchObject({
      from: "2026-03-27T23:00:00.000Z",
      to: "2026-03-29T22:00:00.000Z",
      granularity: "hour",
      buckets: 47,
    });
    expect(resolve({ from: "2026-03-28T01:02:03.4567+05:30", to: "2026-03-28t00:00:00z", timezone })).toMatchObject({
      from: "2026-03-27T19:32:03.456Z",
      to: "2026-03-28T00:00:00.000Z",
    });
  });

  test("92 local days default to days even if one has 25 hours, and two years to weeks", () => {
    expect(resolve({ from: "2026-08-01", to: "2026-11-01", timezone: "Europe/Berlin" }).granularity).toBe("day");
    expect(resolve({ from: "2024-01-01", to: "2026-01-01" }).granularity).toBe("week");
    expect(resolve({ from: "2024-01-01", to: "2026-01-02" }).granularity).toBe("month");
  });

  test("weeks start on Monday", () => {
    const { first, buckets } = resolve({ from: "2026-01-01", to: "2026-01-12", granularity: "week" });
    expect([first, buckets]).toEqual(["2025-12-29T00:00:00.000Z", 2]);
  });

  test("a range without length has no buckets", () => {
    expect(resolve({ from: "2026-01-01", to: "2026-01-01" }).buckets).toBe(0);
  });

  test("the previous range is as long and ends where this one starts", () => {
    expect(previousRange({ fromMs: 1000, toMs: 1600 })).toEqual({ fromMs: 400, toMs: 1000 });
  });

  test.each([
    [{ interval: "7d", from: "2026-01-01" }, ["query interval duplicate_parameter"]],
    [{ interval: "all", to: "2026-01-01" }, ["query interval duplicate_parameter"]],
    [{ to: "2026-01-01" }, ["query from required"]],
    [{ from: "yesterday" }, ["query from invalid_format"]],
    [{ from: "2026-02-30" }, ["query from invalid_format"]],
    [{ from: "2026-01-01T24:00:00Z" }, ["query from invalid_format"]],
    [{ from: "2026-01-01T10:00:00" }, ["query from invalid_format"]],
    [{ from: "2026-01-01", to: "2026-13-01" }, ["query to invalid_format"]],
    [{ from: "", to: "" }, ["query from invalid_format", "query to invalid_format"]],
    [{ from: "2026-01-02", to: "2026-01-01" }, ["query to out_of_range"]],
    [{ from: "2027-01-01" }, ["query from out_of_range"]],
    [{ from: "0001-01-01" }, ["query from out_of_range"]],
    [{ timezone: "Mars/Olympus" }, ["query timezone invalid_timezone"]],
    [{ timezone: "+02:00", from: "x" }, ["query timezone invalid_timezone", "query from invalid_format"]],
    [{ interval: "90d", granularity: "hour" }, ["query granularity range_too_large"]],
    [{ from: "1900-01-01" }, ["query from range_too_large"]],
    [{ from: "2020-01-01", granularity: "day" }, ["query granularity range_too_large"]],
  ] as const)("%j is refused by name", (fields, problems) => {
    expect(problemsOf(fields)).toEqual([...problems]);
  });

  test("a thousand buckets are allowed and one more is not", () => {
    expect(resolve({ from: "2023-01-01", to: "2025-09-27", granularity: "day" }).buckets).toBe(1000);
    expect(problemsOf({ from: "2023-01-01", to: "2025-09-28", granularity: "day" })).toHaveLength(1);
  });
});

describe("all", () => {
  const all = (strays: { fromMs: number; toMs: number } | null, createdMs = CREATED) => {
    const { fromMs, toMs, bucketStartsMs } = resolvePeriod(query({ interval: "all" }), {
      nowMs: NOW,
      createdMs,
      strays,
    });
    return { fromMs, toMs, buckets: bucketStartsMs.length };
  };

  test("includes clicks recorded while a clock was wrong, and no more", () => {
    expect(all(null)).toMatchObject({ fromMs: CREATED, toMs: NOW });
    expect(all({ fromMs: CREATED - 5, toMs: CREATED - 4 })).toMatchObject({ fromMs: CREATED - 5, toMs: NOW });
    expect(all({ fromMs: NOW + 7, toMs: NOW + 9 })).toMatchObject({ fromMs: CREATED, toMs: NOW + 9 });
    // The clock was ahead when the link was created.
    expect(all({ fromMs: NOW + 7, toMs: NOW + 9 }, NOW + 8)).toMatchObject({ fromMs: NOW, toMs: NOW + 9 });
  });

  test("works however wrong the clock was", () => {
    for (const [fromMs, toMs] of [
      [0, 1],
      [0, Date.UTC(9000, 0)],
      [NOW + 1, Date.UTC(9000, 0)],
    ] as const) {
      expect(all({ fromMs, toMs }).buckets).toBeLessThanOrEqual(1000);
    }
  });
});
