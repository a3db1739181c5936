type Cell = string | number | null;

/** Spreadsheets take a text that starts like this for a formula and run it; some also where the sign is full-width. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A table as RFC 4180 has it: CRLF at the end of every line, quotes where needed. `null` is an empty cell. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");

function toCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
