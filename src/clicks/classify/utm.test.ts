import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { locationOf, withVisitorQuery } from "#shared/location.ts";
import { utmFieldsOf } from "./utm.ts";

const fields = (location: string): readonly string[] => utmFieldsOf(location).split("\t");

describe("the UTM values", () => {
  test("are those of the address the visitor is sent to, in the order of the columns", () => {
    const location = "https://example.com/?utm_content=e&utm_term=d&x=1&utm_campaign=c&utm_medium=b&utm_source=a#f";
    expect(fields(location)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("are decoded and cleaned", () => {
    expect(
      fields("https://example.com/?utm_source=Z%C3%BCrich+%26%20Co&utm_medium=a%09b%0Ac%00d&utm_term=%ff%20"),
    ).toEqual(["Zürich & Co", "abcd", "", "\ufffd", ""]);
    expect(fields("https://example.com/?utm%5Fsource=a&utm_source=b")[0]).toBe("a");
    expect(fields(`https://example.com/?utm_source=${"%F0%9F%98%80".repeat(300)}`)[0]).toBe("😀".repeat(255));
  });

  test("are not looked for outside of the query", () => {
    for (const location of [
      "https://example.com/utm_source=a",
      "https://example.com/#?utm_source=a",
      "https://example.com/?a=b#&utm_source=a",
      "https://example.com/?xutm_source=a&UTM_SOURCE=b&a=utm_source",
      "https://example.com",
      "",
    ]) {
      expect(fields(location)).toEqual(["", "", "", "", ""]);
    }
  });

  test("of a link come back as they were given, and a visitor cannot replace them", () => {
    const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }).map((text) => text.replace(/\s/g, "_"));
    fc.assert(
      fc.property(value, fc.webQueryParameters(), (source, query) => {
        const location = locationOf("https://example.com/?utm_source=x", { utm_source: source });
        expect(fields(withVisitorQuery(location, `utm_source=visitor&${query}`))[0]).toBe(fields(location)[0] ?? "");
        expect(fields(location)[0]).toBe(source.replace(/[\p{Cc}\p{Cs}]/gu, "").trim());
      }),
    );
  });
});
