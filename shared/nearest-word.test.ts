import { expect, test } from "bun:test";
import { findNearest } from "./nearest-word.ts";

const fields = ["limit", "cursor", "tag", "state", "title", "slug", "sort"];

test("a short word is one edit away, or two letters are swapped", () => {
  for (const typed of ["slgu", "slog", "slg", "slugs"])
    expect([typed, findNearest(typed, fields)]).toEqual([typed, "slug"]);
  expect(findNearest("titel", fields)).toBe("title");
  expect(findNearest("SLUG", fields)).toBe("slug");
});

test("of short words that only share some letters, none was meant", () => {
  for (const typed of ["page", "date", "time"]) expect([typed, findNearest(typed, fields)]).toEqual([typed, undefined]);
});

test("in longer words there may be more mistakes, and the nearest counts", () => {
  expect(findNearest("destinaton_rul", ["destination_url", "expired_url"])).toBe("destination_url");
  expect(findNearest("cusror", ["curses", "cursor"])).toBe("cursor");
  expect(findNearest("weather", fields)).toBeUndefined();
});
