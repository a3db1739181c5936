import { expect, test } from "bun:test";
import { hueOf } from "./tint.ts";

test("a text always has the same hue, however it is written", () => {
  expect(hueOf("Spring")).toBe(hueOf("sPRING"));
  expect(hueOf("caf\u00e9")).toBe(hueOf("cafe\u0301"));
  // Released: other colours would confuse people who know theirs.
  expect(["spring", "email", "example.com"].map(hueOf)).toEqual([250, 280, 345]);
});

test("similar texts are spread over all hues", () => {
  const counts = new Map<number, number>();
  const texts = Array.from({ length: 1100 }, (_, index) => `tag-${index}`);
  for (const text of texts) counts.set(hueOf(text), (counts.get(hueOf(text)) ?? 0) + 1);
  expect(counts.size).toBe(11);
  expect(Math.max(...counts.values())).toBeLessThan(160);
  expect(Math.min(...counts.values())).toBeGreaterThan(50);
});
