import { expect, test } from "bun:test";
import { readDisplay } from "./list-display.ts";

const usual = { isCompact: false, tags: true, chart: true, created: true };

test.each([
  [null, usual],
  ['{"isCompact":true,"tags":false}', { ...usual, isCompact: true, tags: false }],
  ['{"tags":"no","other":true}', usual],
  ["null", usual],
  ["not json", usual],
])("a list stored as %p is shown so", (stored, expected) => {
  expect(readDisplay(stored)).toEqual(expected);
});
