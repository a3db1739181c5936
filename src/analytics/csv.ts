type Cell = string | number | null;

/**
 * Spreadsheets take a text that starts like this for a formula and run it; some also where the sign is full-width. Where
 * they split at something else than a comma, as Excel does at a semicolon in many countries, a value has several starts:
 * quotes inside a line do not count then, so that a line break is one of them too.
 */
const FORMULA = /(?:^|[;|\t\r\n])(?:[^\S\t\r\n]|")*(?=[=+\-@＝＋－＠])/g;
const LEADING_BREAK = /^[\t\r\n]/;
const NEEDS_QUOTES = /[",;|\t\r\n]/;

/** A table as RFC 4180 has it: CRLF at the end of every line, quotes where needed. `null` is an empty cell. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");

function toCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "$&'").replace(LEADING_BREAK, "'$&");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
