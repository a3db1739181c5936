import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toCsv } from "#kernel/csv.ts";

/** Parses RFC 4180 strictly. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** Parses like spreadsheets: quotes only count at the start of a cell, and text after the closing one is kept. */
function splitLikeSpreadsheet(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        cell += text[at];
        if (text[at] === '"') at += 1;
      }
      at += 1;
    }
    for (; at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n"; at += 1) {
      cell += text[at];
    }
    cells.push(cell);
  }
  return cells;
}

describe("CSV", () => {
  test("has one line per row, and quotes only if needed", () => {
    const rows = [
      ["key", "clicks"],
      ["a,b", 1],
      ['say "hi"', 2],
      ["two\nlines", 3],
      [null, 4],
    ];
    expect(toCsv(rows)).toBe('key,clicks\r\n"a,b",1\r\n"say ""hi""",2\r\n"two\nlines",3\r\n,4\r\n');
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "＝1＋1", "＠SUM(A1)", "\tx", "\rx", "\nx"])(
    "a cell that starts as %j does is no formula",
    (text) => {
      const [[cell] = []] = parseCsv(toCsv([[text]]));
      expect(cell).toBe(`'${text}`);
    },
  );

  test.each([
    ["a;=1+1", "a;'=1+1"],
    ['a;"=1+1"', 'a;"\'=1+1"'],
    ["a\t+1", "a\t'+1"],
    ["a | @b", "a | '@b"],
    ["a\r\n -1", "a\r\n '-1"],
  ])("a formula after a separator of other spreadsheets is none: %j", (text, defused) => {
    expect(parseCsv(toCsv([["x", text]]))).toEqual([["x", defused]]);
  });

  test.each(["https://maps.example/@52.5,-13.4", "a=b", "1;2", "a - b", "C++", "mail@example.com"])(
    "%j stays as it is",
    (text) => expect(parseCsv(toCsv([["x", text]]))).toEqual([["x", text]]),
  );

  const nasty = fc.string({ unit: fc.constantFrom(..."=+-@＝;|,\t\r\n\" 'ab"), maxLength: 12 });
  const tableOf = (cell: fc.Arbitrary<string>) =>
    fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 4 });

  test("any table round-trips, except for apostrophes in defused cells", () => {
    fc.assert(
      fc.property(tableOf(fc.oneof(fc.string({ unit: "binary" }), nasty)), (rows) => {
        const read = parseCsv(toCsv(rows));
        const bare = (cells: string[][]): string[][] => cells.map((row) => row.map((cell) => cell.replaceAll("'", "")));
        expect(bare(read)).toEqual(bare(rows));
      }),
    );
  });

  test.each([",", ";", "\t", "|"])("no table has a formula in it where it is split at %j", (separator) => {
    fc.assert(
      fc.property(tableOf(nasty), (rows) => {
        const cells = splitLikeSpreadsheet(toCsv(rows), separator);
        expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell.trim()))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
