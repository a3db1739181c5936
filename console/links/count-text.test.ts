import { expect, test } from "bun:test";
import { countText } from "./count-text.ts";

const exactly = (count: number) => ({ count, at_least: false });
const tooMany = { count: 10_000, at_least: true };

test("a plain list says how many links it has", () => {
  expect(countText(exactly(1204), undefined)).toBe("1,204 links");
  expect(countText(exactly(1), undefined)).toBe("1 link");
  expect(countText(exactly(0), undefined)).toBe("0 links");
  expect(countText(tooMany, undefined)).toBe("10,000+ links");
});

test("a filtered list says out of how many, unless that is all of them", () => {
  expect(countText(exactly(37), exactly(1204))).toBe("37 of 1,204");
  expect(countText(exactly(0), exactly(3))).toBe("0 of 3");
  expect(countText(exactly(37), tooMany)).toBe("37 of 10,000+");
  expect(countText(exactly(1204), exactly(1204))).toBe("1,204 links");
  expect(countText(tooMany, tooMany)).toBe("10,000+ links");
});
