import { expect, test } from "bun:test";
import { readHex } from "./read-hex.ts";

test.each([
  ["#0f766e", "0f766e"],
  [" 0F766E ", "0f766e"],
  ["#0f7", "00ff77"],
  ["#0f76", undefined],
  ["teal", undefined],
  ["", undefined],
])("%j is the colour %s", (text, colour) => {
  expect(readHex(text)).toBe(colour);
});
