import { expect, test } from "bun:test";
import { formatAgo, formatAgoInFull, formatShortDay } from "./format.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const daysFrom = (days: number): string => new Date(NOW + days * 86_400_000).toISOString();

test.each([
  [1, "tomorrow"],
  [29, "in 29 days"],
  [43, "in 6 weeks"],
  [89, "in 12 weeks"],
  [90, "in 3 months"],
  [400, "in 1 year"],
  [-1, "yesterday"],
  [-43, "6 weeks ago"],
])("a time %d days away is said precisely enough: %s", (days, said) => {
  expect(formatAgoInFull(daysFrom(days), NOW)).toBe(said);
});

test("where letters count, it's said in fewer", () => {
  expect(formatAgo(daysFrom(-43), NOW)).toBe("6w ago");
});

test("a day that is far away is its month, with the year", () => {
  const now = new Date(2026, 2, 10);
  expect(formatShortDay(new Date(2026, 11, 3).toISOString(), now)).toBe("Dec 3");
  expect(formatShortDay(new Date(2027, 11, 3).toISOString(), now)).toBe("Dec 2027");
  expect(formatShortDay(new Date(2027, 0, 3).toISOString(), new Date(2026, 11, 28))).toBe("Jan 3");
});
