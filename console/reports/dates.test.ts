import { expect, test } from "bun:test";
import { addDays, dateIn, formatDates, formatPeriod } from "./dates.ts";

test("a period is told by its first and last day, although its end is exclusive", () => {
  const period = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z", timezone: "UTC" };
  expect(formatPeriod(period)).toMatch(/^1\s*–\s*31 Jan 2026$/);
  expect(formatPeriod({ ...period, to: "2026-01-02T00:00:00.000Z" })).toBe("1 Jan 2026");
  expect(formatPeriod({ ...period, to: period.from })).toBe("1 Jan 2026");
  expect(formatPeriod({ ...period, timezone: "Asia/Tokyo" })).toMatch(/^1 Jan\s*–\s*1 Feb 2026$/);
  expect(formatDates("2025-12-31", "2026-01-02")).toMatch(/^31 Dec 2025\s*–\s*1 Jan 2026$/);
});

test("dates follow the calendar over the ends of months, years and summer time", () => {
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(dateIn("Asia/Tokyo", "2026-03-28T15:00:00Z")).toBe("2026-03-29");
  expect(dateIn("Europe/Berlin", "2026-03-29T22:00:00Z")).toBe("2026-03-30");
});
