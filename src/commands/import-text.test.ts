import { expect, test } from "bun:test";
import type { Import } from "#contract/console/imports.ts";
import { describeImport } from "./import-text.ts";

const none = { created: 0, renamed: 0, imported_before: 0, conflicts: 0, refused: 0 };
const shown = (part: object): string =>
  describeImport(
    {
      ...{ id: "imp_1", source: "csv", state: "done", problem: null, forecast: null, erased_links: 0 },
      read: { links: 4, counts: 1, unreadable: 0, notes: 0 },
      links: { done: 0, ...none },
      counts: { done: 0, clicks: 0, skipped: 0 },
      ...part,
    } as unknown as Import,
    "npm run kurz --",
  );

test("a dry run says what would happen, and a run what happened", () => {
  const outcomes = { ...none, created: 4, renamed: 4 };
  const forecast = { ...outcomes, losses: [], hosts: [] };
  expect(shown({ state: "checked", forecast })).toContain("\n  4 would get another slug\n");
  expect(shown({ state: "checked", forecast })).toEndWith("Run it with: npm run kurz -- imports resume imp_1");
  expect(shown({ forecast, links: { done: 4, ...outcomes } })).toContain("\n  4 got another slug\n");
});

test("clicks that are left out come with why, what to do, and with where they are listed", () => {
  const links = { done: 4, ...none, created: 4 };
  const skipped = (count: number) => shown({ links, counts: { done: count, clicks: 0, skipped: count } });
  expect(skipped(1)).toContain(
    "1 count of clicks was left out. It belongs to no link of this import, or its day or number is out of range.",
  );
  expect(skipped(2)).toContain(
    "2 counts of clicks were left out. They belong to no link of this import, or their day or number is out of range.",
  );
  // Nothing that could be undone: both came together.
  expect(skipped(2)).not.toContain("undo");
  const again = { done: 4, ...none, imported_before: 4 };
  expect(shown({ links: again, counts: { done: 2, clicks: 0, skipped: 2 } })).toContain(
    "\n  Clicks of links that were imported before are left alone. If those links came without clicks, undo that import",
  );
  expect(skipped(2)).toContain("List them with: npm run kurz -- imports show imp_1 --problems");
  expect(shown({ links })).not.toContain("--problems");
});

test("a stopped import that can go on says how", () => {
  const next = "Go on with: npm run kurz -- imports resume imp_1";
  expect(shown({ state: "cancelled", can_resume: true })).toEndWith(next);
  expect(shown({ state: "failed", can_resume: true })).toEndWith(next);
  expect(shown({ state: "cancelled", can_resume: false })).not.toContain("imports resume");
});

test("a file without links says so", () => {
  const read = { links: 0, counts: 0, unreadable: 0, notes: 0 };
  const text = shown({ state: "checked", read, forecast: { ...none, losses: [], hosts: [] } });
  expect(text).toContain("\nThere are no links to import.");
  expect(text).not.toContain("Would create");
});

test("a file without a known column for the destination says how to name it", () => {
  const problem = 'No column looks like the destination. Choose the one that has it, as "destination_url".';
  expect(shown({ state: "failed", problem })).toContain("--map destination_url=COLUMN");
});
