import { describe, expect, test } from "bun:test";
import { type CountedWay, chiSquareTail, farthestWay, testSplit } from "./split-test.ts";

/** The same numbers every time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Visitors that are divided by `actual`, where `planned` was asked for. */
function divide(planned: readonly number[], actual: readonly number[], visitors: number, random: () => number) {
  const counts = planned.map(() => 0);
  const total = actual.reduce((sum, weight) => sum + weight, 0);
  for (let no = 0; no < visitors; no += 1) {
    let left = random() * total;
    const at = actual.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return planned.map((weight, at): CountedWay => ({ weight, visitors: counts[at] ?? 0 }));
}

test.each([
  [3.841459, 1, 0.05],
  [6.634897, 1, 0.01],
  [5.991465, 2, 0.05],
  [7.814728, 3, 0.05],
  [13.2767, 4, 0.01],
  [16.918978, 9, 0.05],
  [0, 1, 1],
  [0, 6, 1],
])("a chi-squared number of %d with %d degrees of freedom has the tail of printed tables, %d", (x, degrees, tail) => {
  expect(chiSquareTail(x, degrees)).toBeCloseTo(tail, 5);
});

describe("a split", () => {
  const of = (...ways: readonly (readonly [weight: number, visitors: number])[]) =>
    testSplit(ways.map(([weight, visitors]) => ({ weight, visitors })));

  test("with a difference that chance explains is as planned", () => {
    const { verdict, chance, ways } = of([1, 520], [1, 480]);
    expect(verdict).toBe("as-planned");
    // Two-sided, z = 1.265.
    expect(chance).toBeCloseTo(0.2059, 3);
    expect(ways.map(({ share, planned }) => [share, planned])).toEqual([
      [0.52, 0.5],
      [0.48, 0.5],
    ]);
  });

  test("with a greater one is doubtful, then off", () => {
    expect(of([1, 535], [1, 465]).verdict).toBe("doubtful");
    expect(of([1, 550], [1, 450]).verdict).toBe("off");
    expect(of([60, 500], [30, 300], [10, 200]).verdict).toBe("off");
  });

  test("of few visitors isn't judged, and says how many it takes", () => {
    expect(of([1, 9], [1, 0])).toMatchObject({ verdict: "too-few", visitorsNeeded: 10 });
    expect(of([1, 10], [1, 0])).toMatchObject({ verdict: "off" });
    expect(of([95, 60], [5, 1])).toMatchObject({ verdict: "too-few", visitorsNeeded: 100 });
    expect(of([1, 0], [1, 0])).toMatchObject({ verdict: "too-few", visitors: 0 });
  });

  test("names the way that is farthest from its plan, and of two the one that got more", () => {
    expect(farthestWay(of([1, 480], [1, 520]).ways)).toBe(1);
    expect(farthestWay(of([1, 520], [1, 480]).ways)).toBe(0);
    // Ten points less of much, and five points more of little: the latter is the greater surprise.
    expect(farthestWay(of([70, 600], [25, 300], [5, 100]).ways)).toBe(2);
  });
});

describe("over 2,000 splits", () => {
  const share = (planned: readonly number[], actual: readonly number[], verdict: string): number => {
    const random = generator(7);
    const found = Array.from({ length: 2000 }, () => testSplit(divide(planned, actual, 400, random)).verdict);
    return found.filter((one) => one === verdict).length / found.length;
  };

  test.each([[[1, 1]], [[9, 1]], [[60, 30, 10]], [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]])(
    "that work, of weights %p, no more than one in a hundred is called off, and five are doubted",
    (weights) => {
      expect(share(weights, weights, "off")).toBeLessThan(0.02);
      expect(share(weights, weights, "as-planned")).toBeWithin(0.93, 0.97);
    },
  );

  test("that give two thirds instead of a half, nearly all are called off", () => {
    expect(share([1, 1], [2, 1], "off")).toBeGreaterThan(0.99);
  });
});
