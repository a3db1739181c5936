import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Caller } from "#kernel/caller.ts";
import { createTestLink, linkQuery, testLinkDeps } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { foldCase, renameTag } from "./link-fields.ts";
import { type LinkService, linkService } from "./links.service.ts";
import { type TagService, tagService } from "./tags.service.ts";

let store: TestRecords;
let links: LinkService;
let tags: TagService;

beforeAll(() => {
  store = openTestRecords();
  const deps = testLinkDeps(store.records);
  links = linkService(deps);
  tags = tagService(deps);
});
afterAll(() => store.close());

const begin = ({ accountNo }: Caller, tag: string, name: string | null) =>
  store.records.write((tx) =>
    tx
      .insertInto("tag_changes")
      .values({ account_no: accountNo, tag, name, actor: "operator", via: "api", started_at: 0, after_no: 0 })
      .execute(),
  );

const changeOf = ({ accountNo }: Caller, tag: string) => ({ account_no: accountNo, tag });

test("a tag that links are moved to or from is left alone by others, and says so", async () => {
  const caller = await newTestCaller(store.records);
  await createTestLink(links, caller, { tags: ["from", "to", "other"] });
  await begin(caller, "from", "To");
  const busy = { code: "tag_busy" };
  await expect(tags.update(caller, "from", { name: "else" })).rejects.toMatchObject(busy);
  await expect(tags.update(caller, "other", { name: "TO", merge: true })).rejects.toMatchObject(busy);
  await expect(tags.update(caller, "to", { name: "else" })).rejects.toMatchObject(busy);
  await expect(tags.delete(caller, "to")).rejects.toMatchObject(busy);
  expect((await tags.list(caller, { limit: 10 })).data.map(({ name, pending }) => [name, pending])).toEqual([
    ["from", true],
    ["other", false],
    ["to", true],
  ]);
  expect(await tags.update(caller, "to", { color: "red" })).toMatchObject({ color: "red", pending: true });
  while (await tags.continueChange(caller, changeOf(caller, "from")));
  expect((await tags.list(caller, { limit: 10 })).data.map(({ name, pending }) => [name, pending])).toEqual([
    ["other", false],
    ["to", false],
  ]);
});

test("links that get the old tag meanwhile are renamed, too, whatever their number", async () => {
  const caller = await newTestCaller(store.records);
  const early = await createTestLink(links, caller);
  for (let count = 0; count < 50; count += 1) await createTestLink(links, caller, { tags: ["old"] });
  await begin(caller, "old", "new");
  const change = changeOf(caller, "old");
  expect(await tags.continueChange(caller, change)).toBe(true);
  await links.changeTags(caller, early.id, { add: ["OLD"] }, null);
  await createTestLink(links, caller, { tags: ["Old"] });
  while (await tags.continueChange(caller, change));
  expect((await links.list(caller, linkQuery({ tag: ["old"] }))).data).toEqual([]);
  expect(await links.count(caller, linkQuery({ tag: ["new"] }))).toEqual({ count: 52, at_least: false });
  expect((await links.get(caller, early.id)).tags).toEqual(["new"]);
  // It is over: the name is free for another tag.
  await createTestLink(links, caller, { tags: ["old"] });
  expect(await tags.continueChange(caller, change)).toBe(false);
  expect(await tags.get(caller, "old")).toMatchObject({ link_count: 1, pending: false });
});

test("a tag gets its new name in place, and no link has one twice", () => {
  const tag = fc.constantFrom("a", "A", "b", "B", "c");
  fc.assert(
    fc.property(fc.uniqueArray(tag, { selector: foldCase }), tag, fc.option(tag), (own, from, to) => {
      const renamed = renameTag(own, foldCase(from), to);
      const folded = renamed.map(foldCase);
      expect(new Set(folded).size).toBe(folded.length);
      const expected = new Set(own.map(foldCase));
      if (expected.delete(foldCase(from)) && to !== null) expected.add(foldCase(to));
      expect(new Set(folded)).toEqual(expected);
      if (!own.map(foldCase).includes(foldCase(from))) expect(renamed).toEqual(own);
    }),
  );
});
