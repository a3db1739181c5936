import { describe, expect, test } from "bun:test";
import { exampleLink, type Link } from "#contract/link-record.ts";
import { reverse } from "./bulk-change.ts";

const link = (id: string, version: number, tags: readonly string[]): Link => ({
  ...exampleLink,
  id,
  version,
  tags: [...tags],
});

describe("what takes a change of several links back", () => {
  test("is the opposite action, for those that it changed", () => {
    const changed = [
      { before: link("a", 1, []), after: link("a", 2, []) },
      { before: link("b", 5, []), after: link("b", 5, []) },
    ];
    const [only, ...others] = reverse({ action: "archive" }, { changed });
    expect(others).toEqual([]);
    expect(only?.change).toEqual({ action: "unarchive" });
    expect(only?.links.map(({ id }) => id)).toEqual(["a"]);
    expect(reverse({ action: "pause" }, { changed: changed.slice(1) })).toEqual([]);
    expect(reverse({ action: "delete" }, { changed })[0]?.change).toEqual({ action: "restore" });
    expect(reverse({ action: "erase" }, { changed })).toEqual([]);
  });

  test("removes only tags that a link didn't have, and adds those it had", () => {
    const change = { tags: { add: ["new"], remove: ["old"] } };
    const changed = [
      { before: link("a", 1, ["old"]), after: link("a", 2, ["new"]) },
      { before: link("b", 1, ["Old"]), after: link("b", 2, ["new"]) },
      { before: link("c", 1, ["old", "new"]), after: link("c", 2, ["new"]) },
      { before: link("d", 1, ["old"]), after: link("d", 2, ["new"]) },
      { before: link("e", 1, ["new"]), after: link("e", 1, ["new"]) },
      // Someone else added and removed one, too.
      { before: link("f", 1, ["old", "x"]), after: link("f", 4, ["new", "theirs"]) },
    ];
    expect(reverse(change, { changed }).map(({ links, change }) => [links.map(({ id }) => id), change])).toEqual([
      [["a", "d", "f"], { tags: { add: ["old"], remove: ["new"] } }],
      [["b"], { tags: { add: ["Old"], remove: ["new"] } }],
      [["c"], { tags: { add: ["old"], remove: [] } }],
    ]);
  });
});
