import { expect, test } from "bun:test";
import type { Import } from "#contract/console/imports.ts";
import { progressWords } from "./progress-words.ts";

const found = (part: object): Import =>
  ({
    read: { links: 5000, counts: 7, unreadable: 0, notes: 0 },
    links: { done: 5000, created: 5000 },
    counts: { done: 7, clicks: 70, skipped: 0 },
    erased_links: 1200,
    ...part,
  }) as unknown as Import;

test("undoing says how many links are erased, and that this goes on", () => {
  expect(progressWords(found({ state: "undoing" }))).toEqual({
    note: "You can leave this page. Undoing goes on.",
    status: "1,200 of 5,000 links erased",
  });
  expect(progressWords(found({ state: "running" }))).toEqual({
    note: "You can leave this page. The import goes on.",
    status: "5,000 of 5,000 links, 70 clicks",
  });
});
