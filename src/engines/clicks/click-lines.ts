import { textGroups, VISITOR_DIGITS } from "./click-format.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;

// The end of the year 9999; later slots don't fit their column.
const AT_MS_MAX = 253_402_300_799_999;
const NUMBER_MAX = 0xff_ff_ff_ff;
const FLAGS_MAX = 255;
const GROUPS = textGroups.length;
/** A tab and ten digits. */
const FIELD_BYTES_MAX = 11;
/** The largest value of each number before the visitor. */
const LIMITS = [AT_MS_MAX, NUMBER_MAX, NUMBER_MAX, FLAGS_MAX];

/** Where each line ends its own fields, and its text numbers. */
export interface ScannedLines {
  readonly count: number;
  /** For each line: where the first text number begins, where the line ends (after the line feed), and its numbers. */
  readonly places: Uint32Array;
  /** For each text group, the numbers in use. */
  readonly used: readonly ReadonlySet<number>[];
}

export const STEP = 2 + GROUPS;

/** Below it, an array remembers which numbers were seen: adding each to a set takes a third of the whole scan. */
const SMALL_NUMBERS = 1 << 14;

/** Reads every byte: a line that isn't a click is a bug somewhere, and nothing may be stored in its place. */
export function scanLines(bytes: Uint8Array, count: number): ScannedLines {
  const places = new Uint32Array(count * STEP);
  const used = textGroups.map(() => new Set<number>());
  const seen = new Uint8Array(GROUPS * SMALL_NUMBERS);
  let at = 0;
  for (let line = 0; line < count; line += 1) {
    const entry = line * STEP;
    for (const limit of LIMITS) at = skipNumber(bytes, at, limit, line) + 1;
    at = skipVisitor(bytes, at, line) + 1;
    places[entry] = at;
    for (let group = 0; group < GROUPS; group += 1) {
      const end = group === GROUPS - 1 ? LINE_FEED : TAB;
      let value = 0;
      const start = at;
      for (let byte = bytes[at]; byte !== end; byte = bytes[at]) {
        if (byte === undefined || byte < ZERO || byte > NINE) throw notAClick(line);
        value = value * 10 + (byte - ZERO);
        at += 1;
      }
      if (at === start || value > NUMBER_MAX) throw notAClick(line);
      at += 1;
      places[entry + 2 + group] = value;
      const small = group * SMALL_NUMBERS + value;
      if (value >= SMALL_NUMBERS || seen[small] === 0) {
        used[group]?.add(value);
        if (value < SMALL_NUMBERS) seen[small] = 1;
      }
    }
    places[entry + 1] = at;
  }
  if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes follow the last of ${count} lines`);
  return { count, places, used };
}

function skipNumber(bytes: Uint8Array, start: number, limit: number, line: number): number {
  let at = start;
  let value = 0;
  for (let byte = bytes[at]; byte !== TAB; byte = bytes[at]) {
    if (byte === undefined || byte < ZERO || byte > NINE) throw notAClick(line);
    value = value * 10 + (byte - ZERO);
    at += 1;
  }
  if (at === start || value > limit) throw notAClick(line);
  return at;
}

function skipVisitor(bytes: Uint8Array, start: number, line: number): number {
  if (bytes[start] === TAB) return start;
  for (let at = start; at < start + VISITOR_DIGITS; at += 1) {
    const byte = bytes[at] ?? 0;
    const isHex = (byte >= ZERO && byte <= NINE) || (byte >= 0x61 && byte <= 0x66);
    if (!isHex) throw notAClick(line);
  }
  if (bytes[start + VISITOR_DIGITS] !== TAB) throw notAClick(line);
  return start + VISITOR_DIGITS;
}

const notAClick = (line: number): Error => new Error(`line ${line + 1} is not a click`);

/** For each text group, the field that stands for a number, beginning with a tab or, for the first, nothing. */
export type FieldsOf = readonly ReadonlyMap<number, string>[];

/** The same lines with other text numbers. Copies by byte: calls that copy a few bytes take twice as long. */
export function renumberLines(bytes: Uint8Array, scanned: ScannedLines, fields: FieldsOf): Buffer {
  const { count, places } = scanned;
  const target = Buffer.allocUnsafe(bytes.length + count * GROUPS * FIELD_BYTES_MAX);
  const encoded = fields.map((texts) => new Map(Array.from(texts, ([no, text]) => [no, Buffer.from(text, "latin1")])));
  let written = 0;
  let start = 0;
  for (let line = 0; line < count; line += 1) {
    const entry = line * STEP;
    const end = places[entry] ?? 0;
    for (let at = start; at < end; at += 1) {
      target[written] = bytes[at] ?? 0;
      written += 1;
    }
    for (let group = 0; group < GROUPS; group += 1) {
      const field = encoded[group]?.get(places[entry + 2 + group] ?? 0);
      if (field === undefined) throw new Error(`no number for a ${textGroups[group]?.name}`);
      for (let at = 0; at < field.length; at += 1) {
        target[written] = field[at] ?? 0;
        written += 1;
      }
    }
    target[written] = LINE_FEED;
    written += 1;
    start = places[entry + 1] ?? 0;
  }
  return target.subarray(0, written);
}
