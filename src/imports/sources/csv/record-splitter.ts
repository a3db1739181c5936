import { SourceProblem } from "../../import-source.ts";

/** The bytes of one row, or what is wrong with it. Lines count from 1. */
export type SplitRow =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly problem: string };

/** A row that is longer isn't a link, and reading it would take any amount of memory. */
export const ROW_BYTES_MAX = 256 * 1024;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Each costs a second look at a whole row. */
export class BrokenQuotes {
  #found = 0;

  count(): void {
    this.#found += 1;
    if (this.#found <= BROKEN_QUOTES_MAX) return;
    throw new SourceProblem(`More than ${BROKEN_QUOTES_MAX} rows have a quote that isn't closed. Is it a CSV file?`);
  }
}

const BROKEN_QUOTES_MAX = 200;

/**
 * Cuts a file into rows, with no more memory than the longest row may take. A quote that is never closed spoils its own
 * line only: what follows is read again from the next one.
 */
export class RecordSplitter {
  readonly #delimiter: number;
  readonly #broken: BrokenQuotes;
  #rest: Uint8Array = new Uint8Array(0);
  #scanned = 0;
  #line: number;
  #lineBreaks = 0;
  #isQuoted = false;
  #isFieldStart = true;
  #isSkipping = false;

  constructor(delimiter: string, broken: BrokenQuotes, firstLine = 1) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#broken = broken;
    this.#line = firstLine;
  }

  push(chunk: Uint8Array): SplitRow[] {
    return this.#scan(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]), false);
  }

  end(): SplitRow[] {
    const rows = this.#scan(this.#rest, true);
    if (!this.#isSkipping && this.#rest.length > 0) rows.push({ line: this.#line, bytes: this.#rest });
    this.#rest = new Uint8Array(0);
    return rows;
  }

  #scan(bytes: Uint8Array, isEnd: boolean): SplitRow[] {
    const rows: SplitRow[] = [];
    let start = 0;
    let at = this.#scanned;
    for (;;) {
      if (this.#isSkipping) {
        const end = bytes.indexOf(LF, at);
        if (end < 0) {
          start = at = bytes.length;
          break;
        }
        this.#isSkipping = false;
        start = at = end + 1;
        this.#startRow(1);
      }
      at = this.#findRowEnd(bytes, at, Math.min(bytes.length, start + ROW_BYTES_MAX), isEnd);
      const isTooLong = at - start >= ROW_BYTES_MAX;
      const isUnclosed = this.#isQuoted && (isTooLong || (isEnd && at >= bytes.length));
      if (isUnclosed || isTooLong) {
        rows.push({ line: this.#line, problem: isUnclosed ? UNCLOSED : TOO_LONG });
        const lineEnd = isUnclosed ? bytes.indexOf(LF, start) : -1;
        if (isUnclosed) this.#broken.count();
        if (lineEnd >= 0 && lineEnd < at) {
          start = at = lineEnd + 1;
          this.#lineBreaks = 0;
          this.#startRow(1);
        } else {
          this.#isSkipping = true;
        }
        continue;
      }
      const end = bytes[at];
      // The second half of a line end, or of a doubled quote, may be still to come.
      if (end === undefined || (end !== LF && end !== CR) || (end === CR && at + 1 >= bytes.length && !isEnd)) break;
      rows.push({ line: this.#line, bytes: bytes.subarray(start, at) });
      at += end === CR && bytes[at + 1] === LF ? 2 : 1;
      start = at;
      this.#startRow(1);
    }
    this.#rest = bytes.slice(start);
    this.#scanned = at - start;
    return rows;
  }

  /** Returns where the row ends, or where reading it has to wait for more bytes. */
  #findRowEnd(bytes: Uint8Array, from: number, to: number, isEnd: boolean): number {
    const delimiter = this.#delimiter;
    let isQuoted = this.#isQuoted;
    let isFieldStart = this.#isFieldStart;
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at];
      if (isQuoted) {
        if (byte === LF) this.#lineBreaks += 1;
        if (byte !== QUOTE) continue;
        if (at + 1 >= bytes.length && !isEnd) break;
        if (bytes[at + 1] === QUOTE) at += 1;
        else isQuoted = false;
      } else if (byte === LF || byte === CR) {
        break;
      } else {
        if (byte === QUOTE && isFieldStart) isQuoted = true;
        isFieldStart = byte === delimiter;
      }
    }
    this.#isQuoted = isQuoted;
    this.#isFieldStart = isFieldStart;
    return at;
  }

  #startRow(linesAfter: number): void {
    this.#line += linesAfter + this.#lineBreaks;
    this.#lineBreaks = 0;
    this.#isQuoted = false;
    this.#isFieldStart = true;
  }
}

const TOO_LONG = `The row is longer than ${ROW_BYTES_MAX / 1024} KB.`;
export const UNCLOSED = "A quote isn't closed.";
