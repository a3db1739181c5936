import { SourceProblem } from "#imports/import-source.ts";
import type { DumpView } from "./dump-text.ts";

export type SqlValue = string | null;

/** What a backslash in a string means differs between databases. */
export interface SqlDialect {
  readonly hasBackslashes: boolean;
}

const SPACE = /\s*/y;
const BARE = /[^,()\s;']+/y;
const CAST = /::[\w ]+(?:\[\])?/y;
const QUOTE = /'/g;
const QUOTE_OR_BACKSLASH = /['\\]/g;

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", 0: "\0", Z: "\x1a" };

/** One row, such as `(1,'a',NULL)`. */
export function readRow(view: DumpView, dialect: SqlDialect): SqlValue[] {
  view.match(SPACE);
  if (!view.takeIf("(")) throw new SourceProblem("The file isn't a SQL dump that we can read.");
  return readList(view, dialect);
}

/** The values up to the closing bracket. */
function readList(view: DumpView, dialect: SqlDialect): SqlValue[] {
  const values: SqlValue[] = [];
  for (;;) {
    view.match(SPACE);
    if (view.takeIf(")")) return values;
    values.push(readValue(view, dialect));
    view.match(SPACE);
    if (view.next !== ")" && !view.takeIf(",")) throw new SourceProblem("The file isn't a SQL dump that we can read.");
  }
}

function readValue(view: DumpView, dialect: SqlDialect): SqlValue {
  const value = view.next === "'" ? readString(view, dialect.hasBackslashes) : readWord(view, dialect);
  if (view.next === ":") view.match(CAST);
  return value;
}

function readWord(view: DumpView, dialect: SqlDialect): SqlValue {
  const word = view.match(BARE)?.[0] ?? "";
  const after = word === "" ? "" : view.next;
  if (word.toUpperCase() === "NULL") return null;
  if (after === "'") return ofKind(word, readString(view, dialect.hasBackslashes || word.toUpperCase() === "E"));
  if (after === "(") {
    view.take();
    return resultOf(word.toLowerCase(), readList(view, dialect));
  }
  // A character set in front of a string may be followed by a space.
  if (word.startsWith("_") && view.match(SPACE) && view.next === "'") return readString(view, dialect.hasBackslashes);
  if (word === "") throw new SourceProblem("The file isn't a SQL dump that we can read.");
  return word;
}

const ofKind = (word: string, text: string): string =>
  word.toUpperCase() === "X" ? Buffer.from(text, "hex").toString("utf8") : text;

/** SQLite writes line ends by functions. */
function resultOf(name: string, [text = "", ...rest]: readonly SqlValue[]): SqlValue {
  if (name === "replace") return (text ?? "").replaceAll(rest[0] ?? "", () => rest[1] ?? "");
  if (name === "char") return [text, ...rest].map((code) => characterOf(Number(code))).join("");
  if (name === "unistr") {
    return (text ?? "").replaceAll(/\\(?:u([0-9a-f]{4})|\+([0-9a-f]{6})|\\)/gi, (_, four?: string, six?: string) =>
      four === undefined && six === undefined ? "\\" : characterOf(Number.parseInt(four ?? six ?? "", 16)),
    );
  }
  throw new SourceProblem(`The SQL dump uses the function "${name}", which we can't read.`);
}

function characterOf(code: number): string {
  if (Number.isInteger(code) && code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  throw new SourceProblem("The SQL dump has a character that doesn't exist.");
}

function readString(view: DumpView, hasBackslashes: boolean): string {
  view.take();
  let text = "";
  for (;;) {
    text += view.until(hasBackslashes ? QUOTE_OR_BACKSLASH : QUOTE);
    if (view.take() === "\\") {
      const escaped = view.take();
      text += ESCAPED[escaped] ?? escaped;
    } else if (view.next === "'") {
      text += view.take();
    } else {
      return text;
    }
  }
}

/** A line of PostgreSQL's COPY. */
export const valuesOfCopy = (line: string): SqlValue[] =>
  line.split("\t").map((field) => (field === "\\N" ? null : field.replaceAll(/\\(.)/gs, copyEscape)));

const copyEscape = (_: string, character: string): string =>
  character === "v" ? "\v" : character === "f" ? "\f" : (ESCAPED[character] ?? character);
