import { expect, test } from "bun:test";
import type { LinkVersion } from "#contract/link-history.ts";
import type { Link } from "#contract/link-record.ts";
import { changesOf } from "./change-lines.ts";
import { revertedFields } from "./version-fields.ts";

test("a text is shown as it was and as it is", () => {
  expect(changesOf({ before: { title: "Old" }, after: { title: "New" } })).toEqual([
    { field: "title", removed: ["Old"], added: ["New"] },
  ]);
  expect(changesOf({ before: { title: "Old" }, after: { title: null } })).toEqual([
    { field: "title", removed: ["Old"], added: [] },
  ]);
});

test("of a list, only what differs is shown", () => {
  expect(
    changesOf({
      before: { tags: ["a", "b"], utm: { utm_source: "x", utm_medium: "y" } },
      after: { tags: ["b", "c"], utm: { utm_source: "x", utm_medium: "z" } },
    }),
  ).toEqual([
    { field: "tags", removed: ["a"], added: ["c"] },
    { field: "utm", removed: ["utm_medium: y"], added: ["utm_medium: z"] },
  ]);
});

test("what changes without another text is named", () => {
  const [tags] = changesOf({ before: { tags: ["a", "b"] }, after: { tags: ["b", "a"] } });
  expect(tags).toEqual({ field: "tags", removed: [], added: ["Another order"] });
  const [password] = changesOf({ before: { password_protected: true }, after: { password_protected: true } });
  expect(password?.added).toEqual(["Replaced"]);
});

test("a password that was removed and a block are said in words, and a state only by the version's name", () => {
  expect(
    changesOf({
      before: { password_protected: true, blocked: null, state: "active" },
      after: { password_protected: false, blocked: { reason: "spam", at: "" }, state: "paused" },
    }),
  ).toEqual([
    { field: "password_protected", removed: ["Set"], added: [] },
    { field: "blocked", removed: [], added: ["spam"] },
  ]);
});

const version = (no: number, before: LinkVersion["before"], after: LinkVersion["after"]) =>
  ({ version: no, before, after }) as LinkVersion;
const link = { title: "three", notes: "n", state: "paused", tags: ["a"] } as unknown as Link;
const versions = [
  version(5, { state: "active" }, { state: "paused" }),
  version(4, { title: "two", notes: "x" }, { title: "three", notes: "n" }),
  version(3, { title: "one" }, { title: "two" }),
  version(2, { notes: "n" }, { notes: "x" }),
];

test("reverting changes what is different from that version, and no state", () => {
  expect(revertedFields(link, versions, 4)).toEqual([]);
  expect(revertedFields(link, versions, 3)).toEqual(["title", "notes"]);
  // The notes are what they were at first.
  expect(revertedFields(link, versions, 1)).toEqual(["title"]);
});
