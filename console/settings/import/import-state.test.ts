import { expect, test } from "bun:test";
import { type Import, importStates } from "#contract/console/imports.ts";
import { hasProblems, isWorking, mustStartAgain, needsTokenAgain, shareOf, toneOf } from "./import-state.ts";

const found = (state: Import["state"], part: object = {}) =>
  ({
    state,
    read: { links: 100, counts: 300, unreadable: 0, notes: 0 },
    checked_links: 50,
    links: { done: 100, created: 40 },
    counts: { done: 100 },
    erased_links: 10,
    ...part,
  }) as unknown as Import;

test("each step says how much of it is done, except for reading", () => {
  expect(importStates.filter(isWorking).map((state) => shareOf(found(state)))).toEqual([null, 0.5, 0.5, 0.25]);
  const nothing = {
    read: { links: 0, counts: 0, unreadable: 0, notes: 0 },
    links: { done: 0, created: 0 },
    erased_links: 0,
  };
  expect(shareOf(found("running", nothing))).toBe(1);
});

test("what waits for a person, failed or is done looks like it", () => {
  expect(["checked", "failed", "done", "undone", "running"].map((state) => toneOf(state as never))).toEqual([
    "warn",
    "bad",
    "good",
    "plain",
    "accent",
  ]);
});

test("a file that couldn't be read has to be imported from the start, as going on would read it the same way", () => {
  const failed = (file_name: string | null, forecast: object | null, state = "failed") =>
    mustStartAgain({ state, options: { file_name }, forecast } as unknown as Import);
  expect([failed("a.csv", null), failed(null, null), failed("a.csv", {}), failed("a.csv", null, "cancelled")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("links that were imported before are in the list of problems, as the check or then the run finds them", () => {
  const none = { created: 2, renamed: 0, imported_before: 0, conflicts: 0, refused: 0 };
  const before = { ...none, created: 1, imported_before: 1 };
  const isListed = (checked: object, links: object) =>
    hasProblems(
      found("done", { forecast: { ...checked, losses: [] }, links, counts: { done: 0, clicks: 0, skipped: 0 } }),
    );
  expect(isListed(before, { ...none, created: 0, done: 0 })).toBe(true);
  expect(isListed(none, { ...none, created: 0, done: 0 })).toBe(false);
  expect(isListed(none, { ...before, done: 2 })).toBe(true);
  expect(isListed(before, { ...none, done: 2 })).toBe(false);
});

test("what wasn't read yet needs its token again, also without an address of its own, but not from a file", () => {
  const stopped = (file_name: string | null, forecast: object | null) =>
    needsTokenAgain({ options: { url: "", file_name }, forecast } as unknown as Import);
  expect([stopped(null, null), stopped(null, {}), stopped("links.csv", null)]).toEqual([true, false, false]);
});
