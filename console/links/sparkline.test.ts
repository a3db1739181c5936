import { expect, test } from "bun:test";
import { sparklinePath } from "./sparkline.tsx";

test("a series goes from edge to edge, its highest value at the top", () => {
  expect(sparklinePath([0, 4, 2])).toBe("M0 20.5L36 1.5L72 11");
});

test("a series without clicks is a flat line at the bottom", () => {
  expect(sparklinePath([])).toBe("M0 20.5L72 20.5");
  expect(sparklinePath([0, 0, 0])).toBe("M0 20.5L36 20.5L72 20.5");
});
