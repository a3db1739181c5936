import { expect, test } from "bun:test";
import { harbourPages, lighthousePages, meadowPages } from "./demo-pages.ts";

const pages = [...meadowPages, ...lighthousePages, ...harbourPages];

test("every link of the demo has a slug and an address of its own", () => {
  expect([meadowPages.length, lighthousePages.length, harbourPages.length]).toEqual([180, 120, 20]);
  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
});

test("slugs are words, as a person would choose them", () => {
  expect(pages.filter(({ slug }) => !/^[a-z]+(?:-[a-z]+)*$/.test(slug))).toEqual([]);
});
