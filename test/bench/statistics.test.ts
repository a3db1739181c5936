import { expect, test } from "bun:test";
import { ratioOfRounds, ratioOfSamples } from "./statistics.ts";

test("the ratio of samples is the middle of all ratios, and its range leaves out what is improbable", () => {
  // Of 70 orders of four and four samples, one has no pair the wrong way round and one has a single pair: 2 of 70 are below
  // one in twenty, with the next two (4 of 70) they would be above.
  const { ratio, range } = ratioOfSamples([10, 20, 40, 80], [1, 1, 1, 1]);
  expect(ratio).toBe(30);
  expect(range).toEqual([10, 80]);
  expect(ratioOfSamples([1, 2, 4, 8], [1, 10, 100, 1000]).range).toEqual([0.004, 2]);
});

test("more samples of the same spread narrow the range", () => {
  const spread = [31, 32, 33, 34];
  const few = ratioOfSamples(spread, spread).range;
  const many = ratioOfSamples([...spread, ...spread], [...spread, ...spread]).range;
  expect(many[1] - many[0]).toBeLessThan(few[1] - few[0]);
});

test("two single samples tell a ratio and nothing more", () => {
  expect(ratioOfSamples([3], [2])).toEqual({ ratio: 1.5, range: [1.5, 1.5] });
});

test("the range of paired ratios leaves out as many on each side as the sign test allows", () => {
  const ones = (count: number): number[] => Array.from({ length: count }, () => 1);
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  // One of 9 on a side has a probability of 10 in 512, two of 46; none of 5 of 1 in 32.
  expect(ratioOfRounds(upTo(9), ones(9))).toEqual({ ratio: 5, range: [2, 8] });
  expect(ratioOfRounds(upTo(5), ones(5))).toEqual({ ratio: 3, range: [1, 5] });
  expect(ratioOfRounds(upTo(4), ones(4))).toEqual({ ratio: 2.5, range: [1, 4] });
  expect(ratioOfRounds([2, 4, 6], [1, 2, 3])).toEqual({ ratio: 2, range: [2, 2] });
});
