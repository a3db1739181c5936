import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTicks, spreadIndexes } from "./axis.ts";

describe("the axis of counts", () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [417, [0, 100, 200, 300, 400, 500]],
    [106_000, [0, 25_000, 50_000, 75_000, 100_000, 125_000]],
  ])("up to %d", (greatest, ticks) => {
    expect(countTicks(greatest)).toEqual(ticks);
  });

  test("reaches over every value in few, even, whole steps", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (greatest) => {
        const ticks = countTicks(greatest);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks.every((tick, index) => tick === index * (ticks[1] ?? 0) && Number.isInteger(tick))).toBe(true);
      }),
    );
  });
});

test("labels are spread evenly, with the first among them, and never more than fit", () => {
  expect(spreadIndexes(0, 8)).toEqual([]);
  expect(spreadIndexes(1, 8)).toEqual([0]);
  expect(spreadIndexes(31, 8)).toEqual([0, 4, 8, 12, 16, 20, 24, 28]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 10 }), (count, most) => {
      const indexes = spreadIndexes(count, most);
      expect(indexes[0]).toBe(0);
      expect(indexes.length).toBeLessThanOrEqual(most);
      expect(indexes.at(-1)).toBeLessThan(count);
    }),
  );
});
