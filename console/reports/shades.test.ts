import { expect, test } from "bun:test";
import { SHADES, shadeOf } from "./shades.ts";

test("more clicks are never lighter, and few are told from none", () => {
  expect([0, 1, 100, 2500, 10_000].map((clicks) => shadeOf(clicks, 10_000))).toEqual([0, 1, 1, 3, SHADES]);
  expect(shadeOf(1, 1)).toBe(SHADES);
  expect(shadeOf(0, 0)).toBe(0);
});
