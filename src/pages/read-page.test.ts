import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TITLE_LENGTH_MAX } from "#contract/limits.ts";
import { LinkCreate } from "#contract/link-record.ts";
import { readPage } from "./read-page.ts";

const titleOf = (html: string): string | null => readPage(html).title;

describe("the title of a page", () => {
  test.each([
    ["<title>Spring sale</title>", "Spring sale"],
    ["<!doctype html><html><head><TITLE lang=en>\n  Spring\n\t sale \n</TITLE>", "Spring sale"],
    [
      "<title>Fish &amp; Chips &#8211; &quot;fresh&quot; &#x1F41F; M&uuml;ller&nbsp;&amp;&nbsp;Co</title>",
      'Fish & Chips – "fresh" 🐟 Müller & Co',
    ],
    ["<title>&#150; &#0; &#xD800; &#1114112; &unknown; &amp;lt;</title>", "– \ufffd \ufffd \ufffd &unknown; &lt;"],
    ["<title>Page | Site</title><meta property='og:title' content='Page &mdash; itself'>", "Page — itself"],
    ["<meta content='First' property='OG:Title'><meta property=og:title content=Second>", "First"],
    ["<title>Kept</title><meta property=og:title content='  '>", "Kept"],
    ["<title>One</title><title>Two</title>", "One"],
    ["<title>A<b>tag</b></title>", "A<b>tag</b>"],
    ["<title>cut off", "cut off"],
    ["<body><svg><title>A picture</title></svg>", null],
    ["<script>'<title>In a script</title>'</script><!-- <title>In a comment</title> -->", null],
    ["<title>\u0000\u0007 \u200b</title>", "\u200b"],
    ["<title></title>", null],
    ["plain text", null],
    ["", null],
  ])("%p is %p", (html, title) => expect(titleOf(html)).toBe(title));

  test("is cut to what a link's title may have, at a whole letter", () => {
    const title = titleOf(`<title>${"🐟".repeat(400)}</title>`);
    expect(title).toBe(`${"🐟".repeat(TITLE_LENGTH_MAX - 1)}…`);
    expect(titleOf(`<title>${"a".repeat(TITLE_LENGTH_MAX)}</title>`)).toBe("a".repeat(TITLE_LENGTH_MAX));
  });

  test("of markup that can be read in two ways is what comes before", () => {
    expect(titleOf("<title>Before</title><select><xmp><script></select></xmp>")).toBe("Before");
  });

  test("is one that a link can have, whatever the page", () => {
    const piece = fc.constantFrom(
      "<title>",
      "</title>",
      "&",
      "#",
      ";",
      "amp",
      "<",
      ">",
      "'",
      "\u0000",
      "\ud83d",
      "\u0301",
      " ",
    );
    const page = fc
      .array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 400 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(page, (text) => {
        for (const title of [
          titleOf(text),
          titleOf(`<title>${text}`),
          titleOf(`<meta property="og:title" content="${text}">`),
        ]) {
          if (title === null) continue;
          const made = LinkCreate.parse({ destination_url: "https://example.com/", title });
          expect(made.title).toBe(title);
        }
      }),
    );
  });
});

describe("the icons of a page", () => {
  test("are those that browsers would show, but no drawings", () => {
    const { icons, base } = readPage(`
      <base href="/assets/?a&amp;b"><base href="/second/">
      <link rel="shortcut icon" href="/favicon.png?v=1&amp;w=2">
      <LINK REL="ICON" SIZES="48x48" HREF=big.png>
      <link rel="apple-touch-icon" sizes="180x180" href="touch.png">
      <link rel="icon" type="image/svg+xml" href="a">
      <link rel="icon" href="b.SVG?x">
      <link rel="mask-icon" href="c.png">
      <link rel="stylesheet" href="d.css">
      <link rel="icon">`);
    expect(base).toBe("/assets/?a&b");
    expect(icons).toEqual([
      { href: "/favicon.png?v=1&w=2", side: null, isTouch: false },
      { href: "big.png", side: 48, isTouch: false },
      { href: "touch.png", side: 180, isTouch: true },
    ]);
  });
});
