import { describe, expect, test } from "bun:test";
import { SLUG_PATTERN } from "#contract/limits.ts";
import { isReservedSlug, newSlug, SLUG_ALPHABET } from "./slug.ts";

describe("a generated slug", () => {
  test("has the requested length and only symbols of the alphabet", () => {
    expect(newSlug()).toHaveLength(8);
    for (const length of [1, 8, 9, 64]) {
      const slug = newSlug(length);
      expect(slug).toHaveLength(length);
      expect(slug).toMatch(/^[2-9bcdfghjkmnpqrstvwxyz]+$/);
      expect(slug).toMatch(SLUG_PATTERN);
    }
  });

  test("uses 28 distinct symbols without vowels and look-alikes", () => {
    expect(new Set(SLUG_ALPHABET).size).toBe(28);
    expect(SLUG_ALPHABET).not.toMatch(/[01aeilou]/);
  });

  test("is new every time", () => {
    expect(new Set(Array.from({ length: 5000 }, () => newSlug())).size).toBe(5000);
  });

  test("uses every symbol equally often at every position", () => {
    const slugs = Array.from({ length: 20_000 }, () => newSlug());
    const all = slugs.join("");
    // 27 degrees of freedom: chance exceeds 90 once in 10^8 runs; bytes modulo 28 without rejection would give 260.
    expect(chiSquare(all)).toBeLessThan(90);
    for (let position = 0; position < 8; position += 1)
      expect(chiSquare(slugs.map((slug) => slug.charAt(position)).join(""))).toBeLessThan(90);
  });
});

function chiSquare(text: string): number {
  const counts = new Map([...SLUG_ALPHABET].map((symbol) => [symbol, 0]));
  for (const symbol of text) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const expected = text.length / SLUG_ALPHABET.length;
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("a custom slug", () => {
  test.each(["a", "A1", "spring-sale", "a_b", "a--b", "0", "a".repeat(64)])("%s fits the pattern", (slug) => {
    expect(SLUG_PATTERN.test(slug)).toBe(true);
  });

  test.each(["", "-a", "a-", "_", "a/b", "a.b", "a b", "ä", "a\n", "a+", "a%20", "😀", "a".repeat(65)])(
    "%j does not fit the pattern",
    (slug) => {
      expect(SLUG_PATTERN.test(slug)).toBe(false);
    },
  );

  test.each(
    (
      "api app login logout signup account settings developer docs assets static console setup invite admin www qr " +
      "share mcp healthz readyz metrics robots.txt favicon.ico sitemap.xml .well-known API Login QR index.php"
    ).split(" "),
  )("%s is reserved", (slug) => {
    expect(isReservedSlug(slug)).toBe(true);
  });

  test.each(["apis", "my-login", "q", "sale", "well-known"])("%s is free", (slug) => {
    expect(isReservedSlug(slug)).toBe(false);
  });
});
