import { expect, test } from "bun:test";
import { sizeText } from "./size-text.ts";

test("small files aren't 0.0 MB", () => {
  expect([1234, 999_900, 1_000_000, 12_345_678].map(sizeText)).toEqual(["1.2 kB", "999.9 kB", "1.0 MB", "12.3 MB"]);
});
