import { expect, test } from "bun:test";
import { sharedHold } from "./shared-hold.ts";

test("it lasts from the first holder to the last, however often each lets go", () => {
  const seen: string[] = [];
  const hold = sharedHold(() => {
    seen.push("begins");
    return () => seen.push("ends");
  });
  const first = hold();
  const second = hold();
  first();
  first();
  expect(seen).toEqual(["begins"]);
  second();
  expect(seen).toEqual(["begins", "ends"]);
  hold()();
  expect(seen).toEqual(["begins", "ends", "begins", "ends"]);
});
