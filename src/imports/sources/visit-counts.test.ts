import { expect, test } from "bun:test";
import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import type { ImportedCounts } from "#imports/import-source.ts";
import { type SingleVisit, VisitCounts } from "./visit-counts.ts";

const AT = Date.UTC(2026, 0, 2, 3, 15);
const visit = (over: Partial<SingleVisit> = {}): SingleVisit => ({
  ...{ sourceId: "a", atMs: AT + 60_000, bot: false, values: { country: "DE" } },
  ...over,
});

function countsOf(visits: readonly SingleVisit[], groupsMax?: number): ImportedCounts[] {
  const counts = new VisitCounts(["country", "os"], groupsMax);
  return [...visits.flatMap((one) => [...counts.add(one)]), ...counts.end()];
}

test("visits add up per link, quarter of an hour and values", () => {
  const visits = [
    visit(),
    visit({ atMs: AT + 899_999 }),
    visit({ values: { country: "DE", os: "iOS" } }),
    visit({ bot: true }),
    visit({ atMs: AT + 900_000 }),
    visit({ sourceId: "b", values: {} }),
  ];
  const cut = (counts: CountedCut["counts"]): CountedCut[] => [{ dimensions: ["country", "os"], counts }];
  const one = { hasHour: true, bot: false, clicks: 1, cuts: cut([{ values: { country: "DE" }, clicks: 1 }]) };
  expect(countsOf(visits)).toEqual([
    {
      ...{ sourceId: "a", atMs: AT, hasHour: true, bot: false, clicks: 3 },
      cuts: cut([
        { values: { country: "DE" }, clicks: 2 },
        { values: { country: "DE", os: "iOS" }, clicks: 1 },
      ]),
    },
    { sourceId: "a", atMs: AT, ...one, bot: true },
    { sourceId: "a", atMs: AT + 900_000, ...one },
    { sourceId: "b", atMs: AT, ...one, cuts: cut([{ values: {}, clicks: 1 }]) },
  ]);
});

test("what doesn't fit is handed on early, and nothing is counted twice", () => {
  const visits = Array.from({ length: 1000 }, (_, index) => visit({ atMs: AT + (index % 40) * 900_000 }));
  const counts = countsOf(visits, 7);
  expect(counts.length).toBeGreaterThan(40);
  expect(counts.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(1000);
});
