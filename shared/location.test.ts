import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { locationOf, withVisitorQuery } from "./location.ts";

const UTM_NAMES = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

// The name and value pairs as the receiver of the address reads them.
const pairsOf = (url: string): [string, string][] => [...new URL(url).searchParams];
const pairsOfQuery = (rawQuery: string): [string, string][] => [...new URLSearchParams(`&${rawQuery}`)];

const destination = fc
  .tuple(
    fc.webUrl({ withFragments: true }),
    fc.oneof(
      fc.constant(""),
      fc.string({ unit: "binary" }),
      fc.constantFrom("a=1&utm_source=x", "utm%5Fterm=1&&b", "qr=1"),
    ),
  )
  .map(([base, query]) => {
    const url = new URL(base);
    url.search = query;
    return url.href;
  });
const utm = fc.dictionary(fc.constantFrom(...UTM_NAMES), fc.string({ unit: "binary", minLength: 1 }));
const rawQuery = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        ..."a b utm_source utm%5Fsource UTM_SOURCE qr %71r = & 1 + % %2 %zz %FF # ? / // @ : evil.example https:// [ ]".split(
          " ",
        ),
        ...["\r\n", "\t", " ", "\u0000", "é", "😀", "\ud800", "\\", "'", '"', "<", "\u2028"],
      ),
      { maxLength: 15 },
    )
    .map((pieces) => pieces.join("")),
);

describe("the UTM parameters of a link", () => {
  test.each([
    ["https://h.example/", {}, "https://h.example/"],
    ["https://h.example/", { utm_source: "mail" }, "https://h.example/?utm_source=mail"],
    ["https://h.example/?", { utm_source: "mail" }, "https://h.example/?utm_source=mail"],
    ["https://h.example/#top", { utm_source: "mail" }, "https://h.example/?utm_source=mail#top"],
    ["https://h.example/#a?b", { utm_source: "mail" }, "https://h.example/?utm_source=mail#a?b"],
    ["https://h.example/?a=1#t", { utm_source: "mail" }, "https://h.example/?a=1&utm_source=mail#t"],
    ["https://h.example/?a=1&", { utm_source: "mail" }, "https://h.example/?a=1&utm_source=mail"],
    ["https://h.example/?utm_source=old", { utm_source: "new" }, "https://h.example/?utm_source=new"],
    ["https://h.example/?utm_source=x&a=1&utm_source=y", { utm_source: "n" }, "https://h.example/?a=1&utm_source=n"],
    ["https://h.example/?utm%5Fsource=old&a", { utm_source: "new" }, "https://h.example/?a&utm_source=new"],
    ["https://h.example/?UTM_source=old", { utm_source: "n" }, "https://h.example/?UTM_source=old&utm_source=n"],
    ["https://h.example/?utm_medium=kept", { utm_source: "n" }, "https://h.example/?utm_medium=kept&utm_source=n"],
    ["https://h.example/?s=a%2fb+c&&%7E", { utm_term: "x" }, "https://h.example/?s=a%2fb+c&&%7E&utm_term=x"],
    [
      "https://h.example/",
      { utm_term: "a b&c=d#e'+é\ud800" },
      "https://h.example/?utm_term=a%20b%26c%3Dd%23e%27%2B%C3%A9%EF%BF%BD",
    ],
    ["https://h.example/", { other: "x" }, "https://h.example/"],
  ])("of %s with %j give %s", (url, values, expected) => {
    expect(locationOf(url, values as Record<string, string>)).toBe(expected);
  });

  test("stand in the order source, medium, campaign, term, content", () => {
    const values = { utm_content: "5", utm_term: "4", utm_campaign: "3", utm_medium: "2", utm_source: "1" };
    expect(locationOf("https://h.example/", values)).toBe(
      "https://h.example/?utm_source=1&utm_medium=2&utm_campaign=3&utm_term=4&utm_content=5",
    );
  });

  test("leave a destination without UTM parameters byte for byte as it is", () => {
    fc.assert(fc.property(destination, (url) => expect(locationOf(url, {})).toBe(url)));
    const signed = "https://h.example/o?X-Sig=a%2Bb%2f==&X-Empty&&e=+%20%7e~'#f";
    expect(locationOf(signed, {})).toBe(signed);
    expect(locationOf(signed, { utm_source: "x" })).toBe(signed.replace("#f", "&utm_source=x#f"));
  });

  test("replace exactly the pairs of the same name, as a receiver decodes them", () => {
    fc.assert(
      fc.property(destination, utm, (url, values) => {
        const others = pairsOf(url).filter(([name]) => !Object.hasOwn(values, name));
        const set = UTM_NAMES.filter((name) => Object.hasOwn(values, name));
        const added = set.map((name): [string, string] => [name, (values[name] ?? "").toWellFormed()]);
        expect(pairsOf(locationOf(url, values))).toEqual([...others, ...added]);
      }),
    );
  });

  test("change neither scheme, host, path nor fragment", () => {
    fc.assert(
      fc.property(destination, utm, (url, values) => {
        const location = locationOf(url, values);
        expect(location).toMatch(/^[\x21-\x7e]+$/);
        expect({ ...outside(location) }).toEqual(outside(url));
      }),
    );
  });
});

function outside(url: string): { readonly origin: string; readonly path: string; readonly fragment: string } {
  const { origin, pathname, hash, username, password } = new URL(url);
  expect(username + password).toBe("");
  return { origin, path: pathname, fragment: hash };
}

describe("the visitor's query", () => {
  test.each([
    ["https://h.example/", "", "https://h.example/"],
    ["https://h.example/", "a=1", "https://h.example/?a=1"],
    ["https://h.example/?", "a=1", "https://h.example/?a=1"],
    ["https://h.example/p#f", "a=1", "https://h.example/p?a=1#f"],
    ["https://h.example/?a=1#f", "b=2", "https://h.example/?a=1&b=2#f"],
    ["https://h.example/?a=1", "a=2", "https://h.example/?a=1"],
    ["https://h.example/?a", "a=2&b", "https://h.example/?a&b"],
    ["https://h.example/?a=1", "A=2", "https://h.example/?a=1&A=2"],
    ["https://h.example/?utm_source=x", "utm%5Fsource=evil", "https://h.example/?utm_source=x"],
    ["https://h.example/?utm%5fsource=x", "utm_source=evil", "https://h.example/?utm%5fsource=x"],
    ["https://h.example/?a+b=1", "a%20b=2", "https://h.example/?a+b=1"],
    ["https://h.example/", "t=1&t=2", "https://h.example/?t=1&t=2"],
    ["https://h.example/", "qr=1", "https://h.example/"],
    ["https://h.example/", "qr", "https://h.example/"],
    ["https://h.example/", "%71r=1&a=1", "https://h.example/?a=1"],
    ["https://h.example/?qr=own", "qr=1", "https://h.example/?qr=own"],
    ["https://h.example/", "&&&", "https://h.example/"],
    ["https://h.example/", "a=1&&b=2&", "https://h.example/?a=1&b=2"],
    ["https://h.example/", "?a=1", "https://h.example/??a=1"],
    ["https://h.example/", "redir_url=https://evil.example", "https://h.example/?redir_url=https://evil.example"],
    ["https://h.example/", "a=1#//evil.example", "https://h.example/?a=1%23//evil.example"],
    ["https://h.example/", "a=\r\nSet-Cookie: b", "https://h.example/?a=%0D%0ASet-Cookie:%20b"],
    ["https://h.example/", "a=é😀\u0000\\", "https://h.example/?a=%C3%A9%F0%9F%98%80%00%5C"],
    ["https://h.example/", "a=%zz%", "https://h.example/?a=%zz%"],
    ["https://h.example/", "a=%25%2525%%25'", "https://h.example/?a=%25%2525%%25%27"],
    ["https://h.example/?a_=1", "?a%5F=2", "https://h.example/?a_=1&?a%5F=2"],
    ["https://h.example/", "=", "https://h.example/?="],
    ["https://h.example/", "a[]=1&a[]=2", "https://h.example/?a%5B%5D=1&a%5B%5D=2"],
  ])("of %s and %j gives %s", (location, query, expected) => {
    expect(withVisitorQuery(location, query)).toBe(expected);
  });

  test("never chooses scheme, host, path or fragment and carries no raw control", () => {
    fc.assert(
      fc.property(destination, rawQuery, (url, query) => {
        const location = withVisitorQuery(url, query);
        expect(location).toMatch(/^[\x21-\x7e]+$/);
        expect(outside(location)).toEqual(outside(url));
      }),
      { numRuns: 2000 },
    );
  });

  test("only adds names that were not there, and keeps the bytes of the destination in front", () => {
    fc.assert(
      fc.property(destination, rawQuery, (url, query) => {
        const location = withVisitorQuery(url, query);
        const own = pairsOf(url);
        const names = new Set(own.map(([name]) => name));
        const added = pairsOfQuery(query).filter(([name]) => name !== "qr" && !names.has(name));
        expect(pairsOf(location)).toEqual([...own, ...added]);
        expect(location.startsWith(url.replace(/#.*$/, ""))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("is dropped as a whole beyond 8000 bytes", () => {
    const location = "https://h.example/?a=1";
    const room = 8000 - location.length - "&b=".length;
    expect(withVisitorQuery(location, `b=${"x".repeat(room)}`)).toHaveLength(8000);
    expect(withVisitorQuery(location, `b=${"x".repeat(room + 1)}`)).toBe(location);
    expect(withVisitorQuery(location, `c=1&b=${"é".repeat(1400)}`)).toBe(location);
  });
});
