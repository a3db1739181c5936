import { expect, test } from "bun:test";
import { formatPeriod } from "./dates.ts";

test("a period is told by its first and last day, although its end is exclusive", () => {
  const period = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z", timezone: "UTC" };
  expect(formatPeriod(period)).toMatch(/^1\s*–\s*31 Jan 2026$/);
  expect(formatPeriod({ ...period, to: "2026-01-02T00:00:00.000Z" })).toBe("1 Jan 2026");
  expect(formatPeriod({ ...period, to: period.from })).toBe("1 Jan 2026");
  expect(formatPeriod({ ...period, timezone: "Asia/Tokyo" })).toMatch(/^1 Jan\s*–\s*1 Feb 2026$/);
});
