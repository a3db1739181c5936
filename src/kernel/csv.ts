type Cell = string | number | null;

/**
 * Spreadsheets run text that starts like this as a formula; some even with full-width signs. If they split at something
 * other than a comma, as Excel does at semicolons in many countries, a value has several starts: quotes inside a line
 * don't count then, so a line break is one of them too.
 */
const FORMULA = /(?:^|[;|\t\r\n])(?:[^\S\t\r\n]|")*(?=[=+\-@＝＋－＠])/g;
const LEADING_BREAK = /^[\t\r\n]/;
const NEEDS_QUOTES = /[",;|\t\r\n]/;

/** A table in RFC 4180 format: CRLF line ends, quotes if needed. `null` is an empty cell. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");

function toCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "$&'").replace(LEADING_BREAK, "'$&");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
