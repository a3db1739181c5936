import { expect, test } from "bun:test";
import { readPasted } from "./pasted-address.ts";

test.each([
  ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["  http://example.com\n", "http://example.com"],
  ["example.com/sale", "https://example.com/sale"],
  ["www.bücher.example", "https://www.bücher.example"],
  ["example.com:8080/a", "https://example.com:8080/a"],
])("%j is an address", (text, address) => {
  expect(readPasted(text)).toBe(address);
});

test.each([
  "",
  "hello",
  "3.14",
  "two words.com",
  "https://example.com and more",
  "someone@example.com",
  "javascript:alert(1)",
  "ftp://example.com/",
  "https://",
])("%j is none", (text) => {
  expect(readPasted(text)).toBeNull();
});

test("an address that no link can have is none", () => {
  expect(readPasted(`https://example.com/${"a".repeat(8000)}`)).toBeNull();
});
