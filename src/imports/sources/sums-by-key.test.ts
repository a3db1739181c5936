import { expect, test } from "bun:test";
import { SourceProblem } from "#imports/import-source.ts";
import { SumsByKey } from "./sums-by-key.ts";

test("numbers are added up by key", () => {
  const sums = new SumsByKey();
  sums.add("a", 1);
  sums.add("a", 2);
  expect([sums.of("a"), sums.of("b")]).toEqual([3, 0]);
});

test("a file can't fill the memory with keys", () => {
  const sums = new SumsByKey(2);
  for (const key of ["a", "b", "a"]) sums.add(key, 1);
  expect(() => sums.add("c", 1)).toThrow(SourceProblem);
});
