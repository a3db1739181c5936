import { type Click, clickColumns } from "./click-columns.ts";

export const TEXT_CHARACTERS_MAX = 255;

// Controls, among them tab and line feed, halves of surrogate pairs, and the two other line ends of Unicode.
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;
const PLAIN = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** The click as one line of the journal: tab-separated, ended by a line feed. */
export function clickLine(click: Click): string {
  return `${clickColumns.map(({ name }) => fieldOf(click[name])).join("\t")}\n`;
}

/** What `clickLine` wrote. */
export function parseClickLine(line: string): Click {
  const fields = line.endsWith("\n") ? line.slice(0, -1).split("\t") : [];
  if (fields.length !== clickColumns.length) throw new Error(`not a click: ${fields.length} fields`);
  const entries = clickColumns.map(({ name, sqlType }, index) => [name, parsedField(sqlType, fields[index] ?? "")]);
  return Object.fromEntries(entries) as Click;
}

/** The text as it may stand in a field: without control characters, trimmed, at most 255 characters. */
export function cleanText(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  const visible = text.replace(UNSAFE, "").trim();
  if (visible.length <= TEXT_CHARACTERS_MAX) return visible;
  const characters = Array.from(visible.slice(0, 2 * TEXT_CHARACTERS_MAX));
  return characters.slice(0, TEXT_CHARACTERS_MAX).join("").trimEnd();
}

function fieldOf(value: number | boolean | string): string {
  if (typeof value === "string") return cleanText(value);
  return typeof value === "boolean" ? flagOf(value) : String(value);
}

const flagOf = (value: boolean): "0" | "1" => (value ? "1" : "0");

function parsedField(sqlType: (typeof clickColumns)[number]["sqlType"], field: string): number | boolean | string {
  if (sqlType === "VARCHAR") return field;
  return sqlType === "BOOLEAN" ? field === "1" : Number(field);
}
