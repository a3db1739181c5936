import { describe, expect, test } from "bun:test";
import { parseName } from "./find-link.ts";
import { escapeTexts } from "./printable.ts";
import { formatFields, formatTable } from "./table.ts";
import { fitText, widthOf } from "./text-width.ts";
import { readExpiry, readPast, showTime } from "./times.ts";
import { viewOf } from "./view.ts";

const view = { columns: 40, hasColour: false, hasBlocks: true, timeZone: "UTC" };

test.each([
  ["sale", 4],
  ["Grüße", 5],
  ["日本", 4],
  ["e\u0301", 1],
  ["👍🏽", 2],
  ["", 0],
])("%p fills %d columns", (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test("a text is cut at a character, with an ellipsis", () => {
  expect(fitText("spring sale", 7, view)).toBe("spring…");
  expect(fitText("spring sale", 7, { hasBlocks: false })).toBe("spri...");
  expect(fitText("日本語", 4, view)).toBe("日…");
  expect(fitText("sale", 4, view)).toBe("sale");
});

describe("a table", () => {
  const columns = [{ head: "LINK" }, { head: "CLICKS", align: "right" }, { head: "TITLE", shrinks: true }] as const;

  test("fits the terminal, and is whole in a pipe", () => {
    const rows = [["s.example/a", "12", "A title that is much too long for the terminal"]];
    const lines = formatTable(columns, rows, view).split("\n");
    expect(lines.every((line) => widthOf(line) <= 40)).toBe(true);
    expect(lines[1]).toBe("s.example/a      12  A title that is mu…");
    expect(formatTable(columns, rows, { ...view, columns: null })).toContain("too long for the terminal");
  });

  test("of fields has a name and a value per line", () => {
    expect(
      formatFields(
        [
          ["Title", "Sale"],
          ["Id", "lnk_1"],
        ],
        view,
      ),
    ).toBe("Title  Sale\nId     lnk_1");
  });
});

test("every text in a value is escaped, wherever it is", () => {
  expect(escapeTexts({ a: ["\x1b]0;owned\x07", { b: "\u202e" }], c: 1, d: null })).toEqual({
    a: ["\\u{1b}]0;owned\\u{7}", { b: "\\u{202e}" }],
    c: 1,
    d: null,
  });
});

describe("an expiry", () => {
  const now = Date.parse("2026-11-18T12:00:00Z");
  test.each([
    ["90m", "2026-11-18T13:30:00.000Z"],
    ["7d", "2026-11-25T12:00:00.000Z"],
    ["4w", "2026-12-16T12:00:00.000Z"],
    ["2027-01-31T10:00:00+02:00", "2027-01-31T08:00:00.000Z"],
    ["never", null],
  ])("%p is %p", (text, instant) => {
    expect(readExpiry(text, now)).toBe(instant);
  });

  test("that is a date is midnight here", () => {
    expect(readExpiry("2027-01-31")).toBe(new Date(2027, 0, 31).toISOString());
  });

  test.each(["", "soon", "7", "d7", "2027-13-01", "2027-02-30", "2027-02-29T10:00", "31.01.2027"])(
    "%p is refused",
    (text) => {
      expect(() => readExpiry(text)).toThrow("--expires must be");
    },
  );
});

test("a time in the past is written like an expiry", () => {
  const now = Date.parse("2026-11-18T12:00:00Z");
  expect(readPast("created-after", "7d", now)).toBe("2026-11-11T12:00:00.000Z");
  expect(readPast("created-after", "2026-10-31T10:00:00+02:00", now)).toBe("2026-10-31T08:00:00.000Z");
  expect(() => readPast("created-after", "never", now)).toThrow("--created-after must be");
});

test("times are shown in the zone", () => {
  expect(showTime("2026-11-18T23:30:00.000Z", "Europe/Berlin")).toBe("2026-11-19 00:30");
});

test.each([
  ["sale", "sale", undefined],
  ["s.example/sale", "sale", "s.example"],
  ["https://s.example/sale", "sale", "s.example"],
  ["http://localhost:8080/sale+", "sale", "localhost:8080"],
  ["https://s.example/sale/?a=1", "sale", "s.example"],
  ["s.example/sale?x=1", "sale", "s.example"],
  ["sale#top", "sale", undefined],
])("%p is the slug %p on %p", (name, slug, domain) => {
  expect(parseName(name)).toEqual({ slug, domain });
});

test.each(["", "/", "https://s.example/", "s.example/a/b"])("%p is no link", (name) => {
  expect(() => parseName(name)).toThrow("is no link");
});

describe("the view", () => {
  const io = { outIsTerminal: true, columns: 60 } as Parameters<typeof viewOf>[0];
  test.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ NO_COLOR: "" }, true],
    [{ TERM: "dumb" }, false],
  ])("has colours with %p: %p", (env, hasColour) => {
    expect(viewOf(io, env).hasColour).toBe(hasColour);
  });

  test("of a pipe has neither colours nor a width", () => {
    expect(viewOf({ ...io, outIsTerminal: false }, {})).toMatchObject({ columns: null, hasColour: false });
  });

  test.each([
    [{ LANG: "C" }, false],
    [{ LANG: "de_DE.ISO-8859-1" }, false],
    [{ LANG: "C.UTF-8" }, true],
    [{ LANG: "C", LC_ALL: "en_US.utf8" }, true],
    [{}, true],
  ])("has blocks with %p: %p", (env, hasBlocks) => {
    expect(viewOf(io, env).hasBlocks).toBe(hasBlocks);
  });
});
