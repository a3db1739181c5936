import { expect, test } from "bun:test";
import { renderBadge } from "./badge.ts";

test.each([
  [0, "0 clicks"],
  [1, "1 click"],
  [9999, "9,999 clicks"],
  [12_345, "12K clicks"],
  [3_400_000, "3.4M clicks"],
])("%i is %s", (clicks, words) => {
  const svg = renderBadge(clicks);
  expect(svg).toContain(`<title>${words}</title>`);
  expect(svg).toContain(`aria-label="${words}"`);
});

test("a longer number makes a wider image, in which everything has its place", () => {
  const widthOf = (clicks: number): number => Number(/ width="(\d+)"/.exec(renderBadge(clicks))?.[1]);
  expect(widthOf(1000)).toBeGreaterThan(widthOf(10));
  const texts = [...renderBadge(1234).matchAll(/<text x="([\d.]+)" y="14" textLength="([\d.]+)"/g)];
  const [count, label] = texts.map(([, x, length]) => ({ from: Number(x), to: Number(x) + Number(length) }));
  expect(count?.to).toBeLessThan(label?.from ?? 0);
  expect(label?.to).toBeLessThan(widthOf(1234));
});
