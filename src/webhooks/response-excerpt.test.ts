import { expect, test } from "bun:test";
import { excerptOf, RESPONSE_BYTES_MAX } from "./response-excerpt.ts";

test("the first 4 KiB of a response are kept, out of the 16 KiB that are read", () => {
  expect(RESPONSE_BYTES_MAX).toBe(16 * 1024);
  expect(excerptOf(Buffer.from("a".repeat(4096)))).toBe("a".repeat(4096));
  expect(excerptOf(Buffer.from(`${"a".repeat(4096)}b`))).toBe("a".repeat(4096));
});

test("whatever a receiver sends, the excerpt is text that any database can store", () => {
  expect(excerptOf(Buffer.from([0x61, 0x00, 0xff, 0x62]))).toBe("a\ufffd\ufffdb");
  const cut = excerptOf(Buffer.from("é".repeat(2049)).subarray(1));
  expect(cut.isWellFormed()).toBe(true);
  expect(cut).toEndWith("é\ufffd");
});
