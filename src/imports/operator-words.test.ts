import { expect, test } from "bun:test";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import { inOperatorWords } from "./operator-words.ts";

test("the operator sees what is wrong without the field of a request that nobody has typed", () => {
  const refused = validationFailed([bodyProblem("run", "out_of_range", "That isn't possible now. It is undone.")]);
  expect(inOperatorWords(refused)).toEqual(new Error("That isn't possible now. It is undone."));
  const other = new Error("the disk is full");
  expect(inOperatorWords(other)).toBe(other);
});
