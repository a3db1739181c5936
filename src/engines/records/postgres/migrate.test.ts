import { expect, test } from "bun:test";
import type { Migration } from "../migrations/migration.ts";
import { nextSteps, refuseOldVersion } from "./migrate.ts";

test.each([
  [90_624, "PostgreSQL 9.6 is too old; Kurz needs 15 or newer"],
  [130_014, "PostgreSQL 13 is too old; Kurz needs 15 or newer"],
  [149_999, "PostgreSQL 14 is too old; Kurz needs 15 or newer"],
])("the server version %p is refused", (number, message) => {
  expect(() => refuseOldVersion(number)).toThrow(message);
});

test.each([150_000, 150_006, 160_002, 180_000])("the server version %p is accepted", (number) => {
  expect(() => refuseOldVersion(number)).not.toThrow();
});

const step = (id: number, worksFrom?: number): Migration => ({
  id,
  name: `step ${id}`,
  sqlite: "",
  postgres: "",
  ...(worksFrom !== undefined && { worksFrom }),
});

test.each([
  ["an empty database gets everything at once", 0, [1, 2, 3, 4, 5]],
  ["steps up to one that older nodes can't work with are taken together", 1, [2, 3, 4, 5]],
  ["a step that nodes of the schema found work with is taken alone", 3, [4]],
  ["and so is the next one", 4, [5]],
  ["there is nothing left", 5, []],
])("%s", (_, version, expected) => {
  const steps = [step(1), step(2, 1), step(3), step(4, 3), step(5, 3)];
  expect(nextSteps(steps, version).map(({ id }) => id)).toEqual(expected);
});
