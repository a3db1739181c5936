import { expect, test } from "bun:test";
import { readEarlierClicks } from "./earlier-clicks.ts";

const period = {
  from: "2026-10-01T00:00:00Z",
  to: "2026-10-08T00:00:00Z",
  timezone: "UTC",
  granularity: "day",
} as const;
const items = [
  { key: "DE", clicks: 5, unique_visitors: null },
  { key: null, clicks: 2, unique_visitors: null },
];

test("a value that the period before lacks had no clicks there", () => {
  const earlier = readEarlierClicks({ items, other_clicks: 0 }, period);
  expect([earlier.of("DE"), earlier.of(null), earlier.of("FR")]).toEqual([5, 2, 0]);
});

test("unless the period before has more values than were sent", () => {
  const earlier = readEarlierClicks({ items, other_clicks: 1 }, period);
  expect([earlier.of("DE"), earlier.of(null), earlier.of("FR")]).toEqual([5, 2, null]);
});
