import { describe, expect, test } from "bun:test";
import { isSameFilter, readViews, VIEWS_MAX, withoutView, withView } from "./saved-views.ts";

const spring = { name: "Spring", filter: { tag: ["spring"], show: "paused" } } as const;

describe("stored views", () => {
  test("are read as they were written", () => {
    expect(readViews(JSON.stringify([spring]))).toEqual([spring]);
  });

  test.each([null, "", "nonsense", "{}", "[1, null, {}]", '[{"name":"","filter":{}}]', '[{"name":"x","filter":7}]'])(
    "that are %j are none",
    (text) => {
      expect(readViews(text)).toEqual([]);
    },
  );

  test("lose what is no filter", () => {
    const text = JSON.stringify([
      { name: "Odd", filter: { q: "sale", show: "nothing", edit: "lnk_1", colour: "red" } },
    ]);
    expect(readViews(text)).toEqual([{ name: "Odd", filter: { q: "sale" } }]);
  });
});

test("a name is used once, whatever its case", () => {
  const again = { name: "SPRING", filter: {} };
  expect(withView([spring], again)).toEqual([again]);
  expect(withoutView([spring], "spring")).toEqual([]);
});

test("the oldest view makes room for one too many", () => {
  const many = Array.from({ length: VIEWS_MAX }, (_, index) => ({ name: `${index}`, filter: {} }));
  expect(withView(many, spring).map(({ name }) => name)).toEqual([...many.slice(1).map(({ name }) => name), "Spring"]);
});

test("the same filters are the same list, in any order", () => {
  expect(isSameFilter({ q: "a", show: "paused" }, { show: "paused", q: "a" })).toBe(true);
  expect(isSameFilter({ q: "a" }, { q: "b" })).toBe(false);
});
