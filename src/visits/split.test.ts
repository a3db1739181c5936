import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chooseWay, shareOf } from "./split.ts";

const VISITORS = 100_000;
const visitorOf = (n: number): string => createHash("sha256").update(`visitor ${n}`).digest("hex").slice(0, 16);
const visitors = Array.from({ length: VISITORS }, (_, n) => visitorOf(n));

test.each([[[60, 40]], [[1, 1, 1]], [[1, 999]], [[5, 10, 20, 40, 80, 160, 320, 640, 1000, 1]]])(
  "the weights %p are met within 1 %",
  (weights) => {
    const ways = weights.map((weight, no) => ({ no, weight }));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const counts = weights.map(() => 0);
    for (const visitor of visitors) {
      const { no } = chooseWay(ways, shareOf(visitor, 4711));
      counts[no] = (counts[no] ?? 0) + 1;
    }
    for (const [no, weight] of weights.entries()) {
      expect(Math.abs((counts[no] ?? 0) / VISITORS - weight / total)).toBeLessThan(0.01);
    }
  },
);

test("a visitor keeps the way of a link, and the ways of two links are independent", () => {
  const half = (visitor: string, linkNo: number): boolean => shareOf(visitor, linkNo) < 0.5;
  let both = 0;
  for (const visitor of visitors) {
    expect(shareOf(visitor, 1)).toBe(shareOf(visitor, 1));
    if (half(visitor, 1) && half(visitor, 2)) both += 1;
  }
  expect(Math.abs(both / VISITORS - 0.25)).toBeLessThan(0.01);
});

test("every share leads somewhere", () => {
  const ways = [{ weight: 3 }, { weight: 1 }];
  expect(chooseWay(ways, 0)).toBe(ways[0] as { weight: number });
  expect(chooseWay(ways, 1 - 2 ** -32)).toBe(ways[1] as { weight: number });
});
