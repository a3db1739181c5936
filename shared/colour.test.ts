import { expect, test } from "bun:test";
import { contrastOf, formatColour, parseColour } from "./colour.ts";

const contrast = (colour: string, background: string): number =>
  contrastOf(parseColour(colour), parseColour(background));

test("contrast matches the WCAG definition", () => {
  expect(contrast("000000", "ffffff")).toBeCloseTo(21, 5);
  expect(contrast("767676", "#FFFFFF")).toBeCloseTo(4.54, 2);
  expect(contrast("949494", "ffffff")).toBeGreaterThan(3);
  expect(contrast("959595", "ffffff")).toBeLessThan(3);
  expect(contrast("ffffff", "000000")).toBeLessThan(1);
});

test("every notation of a color is formatted the same way", () => {
  for (const text of ["0a2540", "#0a2540", "0A2540", "#0A2540"])
    expect(formatColour(parseColour(text))).toBe("#0a2540");
});
