import { expect, test } from "bun:test";
import { formatCutBucket, formatCutPeriod, formatPeriod } from "./dates.ts";

test("a period is told by its first and last day, although its end is exclusive", () => {
  const period = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z", timezone: "UTC" };
  expect(formatPeriod(period)).toMatch(/^Jan 1\s*–\s*31, 2026$/);
  expect(formatPeriod({ ...period, to: "2026-01-02T00:00:00.000Z" })).toBe("Jan 1, 2026");
  expect(formatPeriod({ ...period, to: period.from })).toBe("Jan 1, 2026");
  expect(formatPeriod({ ...period, timezone: "Asia/Tokyo" })).toMatch(/^Jan 1\s*–\s*Feb 1, 2026$/);
});

test("a period that ends during a day says at what time", () => {
  const period = { from: "2026-10-01T22:00:00.000Z", to: "2026-10-18T12:30:00.000Z", timezone: "Europe/Berlin" };
  expect(formatCutPeriod(period)).toMatch(/^Oct 2\s*–\s*18, 2026, until 2:30\sPM$/);
  expect(formatCutPeriod({ ...period, to: "2026-10-18T22:00:00.000Z" })).toMatch(/^Oct 2\s*–\s*18, 2026$/);
});

test("a bucket says how much of it a period has", () => {
  const frame = { timezone: "UTC", granularity: "day" } as const;
  const days = ["2026-10-16", "2026-10-17", "2026-10-18"].map((date) => ({ start: `${date}T00:00:00.000Z` }));
  const morning = { series: days, period: { ...frame, from: days[0]?.start ?? "", to: "2026-10-18T09:15:00.000Z" } };
  expect(formatCutBucket(morning, 0)).toBe("Fri, Oct 16, 2026");
  expect(formatCutBucket(morning, 2)).toMatch(/^Sun, Oct 18, 2026, until 9:15\sAM$/);
  const months = ["2026-01-01", "2026-02-01"].map((date) => ({ start: `${date}T00:00:00.000Z` }));
  const cut = { from: "2026-01-10T00:00:00.000Z", to: "2026-02-10T12:00:00.000Z", timezone: "UTC" };
  const both = { series: months, period: { ...cut, granularity: "month" } } as const;
  expect(formatCutBucket(both, 0)).toBe("January 2026, from Jan 10");
  expect(formatCutBucket(both, 1)).toMatch(/^February 2026, until Feb 10, 12:00\sPM$/);
});
