import { expect, test } from "bun:test";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ["3", 3000],
  ["0", 0],
  [String(NOW / 1000 + 5), 5000],
  [String(NOW + 5000), 5000],
  [new Date(NOW + 9000).toUTCString(), 9000],
  [String(NOW - 5000), 0],
  ["soon", null],
  [null, null],
])("%p asks to wait %p ms", (text, ms) => {
  expect(retryAfterMs(text, NOW)).toBe(ms);
});
