import { describe, expect, test } from "bun:test";
import { addFormerValues, readEarlierClicks } from "./earlier-clicks.ts";

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

describe("a value that had clicks in the period before only", () => {
  const now = [
    { key: "FR", clicks: 3, unique_visitors: 2 },
    { key: null, clicks: 1, unique_visitors: 1 },
  ];

  test("comes last, without clicks", () => {
    expect(addFormerValues({ items: now, other_clicks: 0 }, { items, other_clicks: 9 })).toEqual({
      items: [...now, { key: "DE", clicks: 0, unique_visitors: 0 }],
      other_clicks: 0,
    });
  });

  test("is left out if it may be one of the values that weren't sent", () => {
    const breakdown = { items: now, other_clicks: 1 };
    expect(addFormerValues(breakdown, { items, other_clicks: 0 })).toEqual(breakdown);
  });
});
