import { expect, test } from "bun:test";
import { mayBecomeHex, readHex } from "./read-hex.ts";

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

test("what is being typed may become a colour as long as it has nothing but a few hex digits", () => {
  expect(["", "#", "#0f76", "0F766E"].filter((text) => !mayBecomeHex(text))).toEqual([]);
  expect(["#zz", "teal", "##", "#0f766e0"].filter(mayBecomeHex)).toEqual([]);
});
