import { expect, test } from "bun:test";
import { ownUtm } from "./own-utm.ts";

test.each([
  ["https://example.com/?utm_source=news&utm_term=a+b&ref=x", { utm_source: "news", utm_term: "a b" }],
  ["https://example.com/?utm_source=", {}],
  ["https://example.com/", {}],
  ["not an address", {}],
  ["", {}],
])("of %j", (destination, expected) => {
  expect(ownUtm(destination)).toEqual(expected);
});
