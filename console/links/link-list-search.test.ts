import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseSearch, stringifySearch } from "#console/app/search-params.ts";
import { exampleLink } from "#contract/link-record.ts";
import { isShown, readLinkListSearch, startOf, toLinkQuery } from "./link-list-search.ts";

describe("the address of the list", () => {
  test("says what is shown and drops what it does not know", () => {
    const search = parseSearch(
      "?q=123&tag=a&tag=b&show=paused&sort=-click_count&created=7d&domain=go.acme.example&colour=red&new=1",
    );
    expect(readLinkListSearch(search)).toEqual({
      q: "123",
      tag: ["a", "b"],
      show: "paused",
      sort: "-click_count",
      created: "7d",
      domain: "go.acme.example",
      new: "1",
    });
    expect(readLinkListSearch(parseSearch("?show=nonsense&sort=-created_at&q=&edit="))).toEqual({});
  });

  test("is read as it was written, whatever the text", () => {
    const text = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), (q, tag) => {
        expect(readLinkListSearch(parseSearch(stringifySearch({ q, tag })))).toEqual({ q, tag });
      }),
    );
  });
});

describe("what the server is asked", () => {
  test("a text that is too short for it is left out", () => {
    expect(toLinkQuery({ q: "ab" })).toEqual({});
    expect(toLinkQuery({ q: " abc " })).toEqual({ q: "abc" });
  });

  test("a domain is passed on", () => {
    expect(toLinkQuery({ domain: "go.acme.example" })).toEqual({ domain: "go.acme.example" });
  });

  test("an age begins at a midnight, so that cursors stay good through the day", () => {
    const morning = startOf("7d", new Date(2026, 4, 20, 8));
    expect(morning).toBe(startOf("7d", new Date(2026, 4, 20, 23, 59)));
    expect(morning).toBe(new Date(2026, 4, 13).toISOString());
  });

  test("a range is whole days of the reader's calendar, and takes the place of an age", () => {
    const search = readLinkListSearch(parseSearch("?created=7d&from=2026-05-01&to=2026-06-01"));
    expect(search).toEqual({ from: "2026-05-01", to: "2026-06-01" });
    expect(toLinkQuery(search)).toEqual({
      created_after: new Date(2026, 4, 1).toISOString(),
      created_before: new Date(2026, 5, 1).toISOString(),
    });
    expect(readLinkListSearch(parseSearch("?created=7d&from=2026-06-01&to=2026-05-01"))).toEqual({ created: "7d" });
  });
});

describe("a link whose state changed", () => {
  const archived = { ...exampleLink, state: "archived" } as const;

  test("leaves the lists that it no longer belongs to", () => {
    expect(isShown(archived, undefined)).toBe(false);
    expect(isShown(archived, "active")).toBe(false);
    expect(isShown(exampleLink, "paused")).toBe(false);
  });

  test("stays in those that it does", () => {
    expect(isShown(archived, "archived")).toBe(true);
    expect(isShown(archived, "all")).toBe(true);
    expect(isShown(exampleLink, undefined)).toBe(true);
    expect(isShown({ ...archived, expired: true }, "expired")).toBe(true);
  });
});
