/** What a column of the records contains, in either engine. */
export type RecordValue = string | number | null | Uint8Array;

// Exactly what PostgreSQL escapes itself, so that a row read back is the same text as the row that was sent.
const SPECIAL = /[\\\b\f\n\r\t\v\0]/;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\0": "\ufffd",
};
const EVERY_SPECIAL = new RegExp(SPECIAL, "g");

/** Turns rows into lines of PostgreSQL's text format for COPY. */
export class CopyText {
  /** Texts that contained NUL, which PostgreSQL can't store; they get U+FFFD instead. */
  textsWithNul = 0;

  line(values: readonly RecordValue[]): string {
    return `${values.map((value) => this.#field(value)).join("\t")}\n`;
  }

  #field(value: RecordValue): string {
    if (value === null) return "\\N";
    if (typeof value === "string") return SPECIAL.test(value) ? this.#escape(value) : value;
    if (typeof value !== "number") return `\\\\x${Buffer.from(value).toString("hex")}`;
    // A larger one may have lost digits when it was read.
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number that can be copied exactly`);
    return String(value);
  }

  #escape(text: string): string {
    if (text.includes("\0")) this.textsWithNul += 1;
    return text.replace(EVERY_SPECIAL, (character) => ESCAPES[character] ?? character);
  }
}
