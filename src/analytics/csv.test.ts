import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toCsv } from "./csv.ts";

/** Reads RFC 4180, as strictly as it is written. */
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

describe("CSV", () => {
  test("has a line for each row, and quotes only where they are needed", () => {
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

  test("any table is read back as it was, but for defused cells", () => {
    const anyTable = fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(anyTable, (rows) => {
        const defused = rows.map((cells) =>
          cells.map((cell) => (/^[=+\-@＝＋－＠\t\r\n]/.test(cell) ? `'${cell}` : cell)),
        );
        expect(parseCsv(toCsv(rows))).toEqual(defused);
      }),
    );
  });
});
