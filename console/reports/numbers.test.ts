import { describe, expect, test } from "bun:test";
import { describeChange, formatShare } from "./numbers.ts";

describe("a change is told without making much of little", () => {
  test.each([
    [0, 0, "no change", "same"],
    [5, 0, "5", "up"],
    [3, 1, "2", "up"],
    [0, 19, "19", "down"],
    [25, 20, "25%", "up"],
    [0, 20, "100%", "down"],
    [1, 1000, ">99%", "down"],
    [40, 20, "100%", "up"],
    [1001, 1000, "<1%", "up"],
    [20, 20, "no change", "same"],
    [199, 20, "895%", "up"],
    [5000, 20, "250×", "up"],
  ] as const)("%d after %d: %s", (now, before, text, direction) => {
    expect(describeChange(now, before)).toEqual({ text, direction });
  });
});

test("a share is never rounded to nothing, nor to everything", () => {
  expect(formatShare(0, 10)).toBe("0%");
  expect(formatShare(1, 3)).toBe("33%");
  expect(formatShare(1, 200)).toBe("0.5%");
  expect(formatShare(1, 10_000_000)).toBe("<0.1%");
  expect(formatShare(0, 0)).toBe("");
  expect(formatShare(456, 456)).toBe("100%");
  expect(formatShare(454, 456)).toBe("99.6%");
  expect(formatShare(994, 1000)).toBe("99%");
  expect(formatShare(9996, 10_000)).toBe(">99.9%");
});
