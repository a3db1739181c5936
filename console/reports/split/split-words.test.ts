import { expect, test } from "bun:test";
import { testSplit } from "./split-test.ts";
import { describeSplit } from "./split-words.ts";

const say = (...ways: readonly (readonly [weight: number, visitors: number])[]) =>
  describeSplit(testSplit(ways.map(([weight, visitors]) => ({ weight, visitors }))), ["a", "b", "c"]);

test("a split without visitors says so", () => {
  expect(say([1, 0], [1, 0])).toEqual({
    label: "Too early to tell",
    tone: "plain",
    text: "None of these destinations had visitors in this period.",
  });
});

test("a split of few visitors says when it can be judged", () => {
  expect(say([1, 1], [1, 0]).text).toBe("1 visitor so far. It takes about 10 to tell a real difference from chance.");
});

test("a difference that chance makes in most splits is called small, a greater one is weighed", () => {
  expect(say([1, 500], [1, 500])).toEqual({
    label: "As planned",
    tone: "good",
    text: "“a” got 50% of 1,000 visitors; 50% was planned. A difference this small can easily be chance.",
  });
  expect(say([1, 480], [1, 520]).text).toBe(
    "“b” got 52% of 1,000 visitors; 50% was planned. Chance alone makes a difference this large in about 2 of 10 splits.",
  );
});

test("the certainty of a greater difference is said as often as chance makes one", () => {
  expect(say([1, 465], [1, 535])).toMatchObject({
    label: "Slightly off",
    text: expect.stringContaining("in only about 3 of 100 splits. See if it stays with more visitors."),
  });
  expect(say([1, 455], [1, 545])).toMatchObject({
    label: "Not as planned",
    text: expect.stringContaining("in about 4 of 1,000 splits."),
  });
  expect(say([60, 300], [30, 300], [10, 400]).text).toBe(
    "“c” got 40% of 1,000 visitors; 10% was planned. Chance alone makes a difference this large in fewer than 1 of 1,000 splits. " +
      "If you changed the weights or destinations, choose a period after that.",
  );
});
