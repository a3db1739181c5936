import { expect, test } from "bun:test";
import { Availability } from "./availability.ts";

test("an outage is reported once, and so is its end", () => {
  const changes: unknown[] = [];
  const availability = new Availability((...change) => changes.push(change));
  expect(availability.isUp).toBe(true);
  for (const problem of [null, "refused", "reset", null, null]) availability.note(problem);
  expect(changes).toEqual([
    [false, "refused"],
    [true, null],
  ]);
  availability.note("refused");
  expect(availability.isUp).toBe(false);
});
