import { expect, test } from "bun:test";
import fc from "fast-check";
import { backoffMs } from "./backoff.ts";
import { encodeBase62, randomBase62 } from "./base62.ts";
import { newId, ulidSource } from "./ids.ts";

test("ids sort in the order they were made, also within one millisecond", () => {
  const ids = Array.from({ length: 5000 }, () => newId("lnk"));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^lnk_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("a clock that steps back does not make an id that sorts before an earlier one", () => {
  let now = 5000;
  const next = ulidSource(() => now);
  const earlier = next();
  now = 4000;
  expect(next() > earlier).toBe(true);
});

test("the time of a ULID can be read back from its first ten characters", () => {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  let ms = 0;
  for (const character of ulidSource(() => now)().slice(0, 10)) ms = ms * 32 + alphabet.indexOf(character);
  expect(ms).toBe(now);
});

test("random base62 has the length asked for and only letters and digits", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 200 }), (length) => /^[0-9A-Za-z]*$/.test(randomBase62(length))));
  expect(randomBase62(43)).toHaveLength(43);
});

test("base62 keeps the order of numbers of one width", () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.nat({ max: 2 ** 32 - 1 }), (a, b) => {
      expect(encodeBase62(a, 6) < encodeBase62(b, 6)).toBe(a < b);
    }),
  );
});

test("backoff doubles and stays within its bound", () => {
  expect([1, 2, 3, 4, 20].map((failures) => backoffMs(failures, 100, 500))).toEqual([100, 200, 400, 500, 500]);
});
