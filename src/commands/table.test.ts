import { expect, test } from "bun:test";
import { formatTable } from "./table.ts";

test("columns line up, even with wide characters", () => {
  const lines = formatTable(
    ["ID", "NAME", "N"],
    [
      ["1", "日本", "3"],
      ["22", "a", "4"],
    ],
  ).split("\n");
  expect(lines).toEqual(["ID  NAME  N", "1   日本  3", "22  a     4"]);
});

test("a name can't control the terminal it is listed on", () => {
  expect(formatTable(["NAME"], [["a\u001b[2Jb\nc\u202e"]])).toBe("NAME\na\\u{1b}[2Jb\\u{a}c\\u{202e}");
});
