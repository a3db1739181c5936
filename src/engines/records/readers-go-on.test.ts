import { expect, test } from "bun:test";
import { isUnknownSchema, readersGoOn } from "./readers-go-on.ts";

const step = (id: number, worksFrom?: number) => ({
  id,
  name: `step ${id}`,
  sqlite: "",
  ...(worksFrom !== undefined && { worksFrom }),
});

test("readers go on if every step that they don't know works with their schema", () => {
  const additive = [step(1), step(2), step(3, 2), step(4, 2)];
  expect([2, 3, 4].map((version) => readersGoOn(additive, version))).toEqual([true, true, true]);
  expect(readersGoOn(additive, 1)).toBe(false);
});

test("one step that asks for newer code ends them, whatever follows", () => {
  expect(readersGoOn([step(1), step(2), step(3, 2)], 1)).toBe(false);
  expect(readersGoOn([step(1), step(2, 1), step(3), step(4, 3)], 2)).toBe(false);
});

test("a schema is unknown if it is newer than every step", () => {
  expect([1, 2, 3, 7].map((version) => isUnknownSchema([step(1), step(2)], version))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
