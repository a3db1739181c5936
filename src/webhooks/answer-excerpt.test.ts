import { expect, test } from "bun:test";
import { ANSWER_BYTES_MAX, excerptOf } from "./answer-excerpt.ts";

test("of an answer the first 4 KiB are kept, of the 16 KiB that are read", () => {
  expect(ANSWER_BYTES_MAX).toBe(16 * 1024);
  expect(excerptOf(Buffer.from("a".repeat(4096)))).toBe("a".repeat(4096));
  expect(excerptOf(Buffer.from(`${"a".repeat(4096)}b`))).toBe("a".repeat(4096));
});

test("whatever a receiver answers, the excerpt is text that every engine takes", () => {
  expect(excerptOf(Buffer.from([0x61, 0x00, 0xff, 0x62]))).toBe("a\ufffd\ufffdb");
  const cut = excerptOf(Buffer.from("é".repeat(2049)).subarray(1));
  expect(cut.isWellFormed()).toBe(true);
  expect(cut).toEndWith("é\ufffd");
});
