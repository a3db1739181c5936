import { setImmediate } from "node:timers/promises";
import { BOT_FLAG, lineFields, QR_FLAG, type TextsOf, textGroups, VISITOR_DIGITS } from "../click-format.ts";
import { BadClicks, type ClickPart, type LinkNumber } from "../clicks-engine.ts";

/** The columns of a row, in the order in which `encodeRows` writes them. */
export const rowColumns: readonly string[] = [
  ...["at_ms", "account_no", "link_no", "bot", "qr", "visitor", "node", "batch"],
  ...textGroups.flatMap(({ texts }) => texts.map(({ name }) => name)),
];

const OWN_BYTES_MAX = 27;
const BATCH_BYTES = 8;
// So the event loop continues after a few milliseconds.
const ROWS_AT_ONCE = 4096;

const [TAB, LINE_FEED, ZERO, NINE, LOWER_A, LOWER_F] = [0x09, 0x0a, 0x30, 0x39, 0x61, 0x66];
const OWN_FIELDS = lineFields.length - textGroups.length;
const AT_MS_MAX = 253_402_300_799_999;
const U32_MAX = 2 ** 32 - 1;

interface Options {
  /** The node whose batch it is: numbers of batches are its own. */
  readonly node: string;
  readonly batch: number;
  readonly isErased: ((accountNo: number, linkNo: number) => boolean) | null;
}

export interface EncodedRows {
  /** In ClickHouse's RowBinary format. */
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Turns click lines into rows, leaving out those of erased links. Throws `BadClicks` unless it understands each line. */
export async function encodeRows(
  parts: readonly ClickPart[],
  { node, batch, isErased }: Options,
): Promise<EncodedRows> {
  const nodeName = encodeText(node);
  const writer = new RowWriter(parts.reduce((sum, { lines }) => sum + lines.length * 2, 1024));
  let rows = 0;
  const numbers = new Float64Array(lineFields.length);
  // One for each part: numbers are local to their segment.
  for (const part of parts) {
    const { lines, segment } = part;
    const texts = new GroupTexts(part.textsOf);
    let at = 0;
    let count = 0;
    while (at < lines.length) {
      at = readLine(part, at, numbers);
      count += 1;
      if (count % ROWS_AT_ONCE === 0) await setImmediate();
      // By index: destructuring would take an iterator for each line.
      const atMs = numbers[0] ?? 0;
      const accountNo = numbers[1] ?? 0;
      const linkNo = numbers[2] ?? 0;
      const flags = numbers[3] ?? 0;
      if (atMs > AT_MS_MAX || accountNo > U32_MAX || linkNo > U32_MAX)
        throw new BadClicks(segment, "a number is too large");
      if (isErased?.(accountNo, linkNo)) continue;
      rows += 1;
      writer.reserve(OWN_BYTES_MAX);
      writer.u64(atMs);
      writer.u32(accountNo);
      writer.u32(linkNo);
      writer.u8(flags & BOT_FLAG ? 1 : 0);
      writer.u8(flags & QR_FLAG ? 1 : 0);
      if (visitor.isKnown) {
        writer.u8(0);
        writer.u32(visitor.low);
        writer.u32(visitor.high);
      } else writer.u8(1);
      writer.bytes(nodeName);
      writer.reserve(BATCH_BYTES);
      writer.u64(batch);
      for (let group = 0; group < textGroups.length; group += 1) {
        writer.bytes(texts.encoded(group, numbers[OWN_FIELDS + group] ?? 0));
      }
    }
    if (count !== part.count) throw new BadClicks(segment, `${count} lines instead of ${part.count}`);
  }
  return { bytes: writer.written(), rows };
}

/** Each link that some of the clicks are of. */
export async function findLinks(parts: readonly ClickPart[]): Promise<readonly LinkNumber[]> {
  const links: LinkNumber[] = [];
  const known = new Map<number, Set<number>>();
  const numbers = new Float64Array(lineFields.length);
  let count = 0;
  for (const part of parts) {
    for (let at = 0; at < part.lines.length; ) {
      at = readLine(part, at, numbers);
      count += 1;
      if (count % ROWS_AT_ONCE === 0) await setImmediate();
      const accountNo = numbers[1] ?? 0;
      const linkNo = numbers[2] ?? 0;
      const ofAccount = known.get(accountNo) ?? new Set();
      // Numbers that are too large are refused when rows are encoded.
      if (ofAccount.has(linkNo) || accountNo > U32_MAX || linkNo > U32_MAX) continue;
      known.set(accountNo, ofAccount.add(linkNo));
      links.push({ accountNo, linkNo });
    }
  }
  return links;
}

const VISITOR_FIELD = lineFields.indexOf("visitor");

/** The visitor of the line read last: 64 bits don't fit in a number. */
const visitor = { isKnown: false, high: 0, low: 0 };

/** Reads the fields of a line into `numbers`, apart from the visitor; returns where the next line starts. */
function readLine({ lines, segment }: ClickPart, start: number, numbers: Float64Array): number {
  let at = start;
  for (let field = 0; field < numbers.length; field += 1) {
    const end = field === numbers.length - 1 ? LINE_FEED : TAB;
    if (field === VISITOR_FIELD) {
      at = readVisitor(lines, at);
      if (Number.isNaN(visitor.high + visitor.low)) throw new BadClicks(segment, "a visitor isn't hexadecimal");
    } else {
      let number = 0;
      const first = at;
      for (let byte = lines[at] ?? 0; byte >= ZERO && byte <= NINE; byte = lines[at] ?? 0) {
        number = number * 10 + byte - ZERO;
        at += 1;
      }
      if (at === first) throw new BadClicks(segment, `field ${lineFields[field]} of a line isn't a number`);
      numbers[field] = number;
    }
    if (lines[at] !== end) throw new BadClicks(segment, `a line doesn't have the fields ${lineFields.join(", ")}`);
    at += 1;
  }
  return at;
}

function readVisitor(lines: Uint8Array, start: number): number {
  visitor.isKnown = lines[start] !== TAB;
  visitor.high = 0;
  visitor.low = 0;
  if (!visitor.isKnown) return start;
  const half = VISITOR_DIGITS / 2;
  visitor.high = readHex(lines, start, half);
  visitor.low = readHex(lines, start + half, half);
  return start + VISITOR_DIGITS;
}

/** NaN unless all of them are digits. */
function readHex(lines: Uint8Array, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const byte = lines[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) value = value * 16 + byte - ZERO;
    else if (byte >= LOWER_A && byte <= LOWER_F) value = value * 16 + byte - LOWER_A + 10;
    else return Number.NaN;
  }
  return value;
}

/** The texts behind the numbers of one part, as they are written into rows. */
class GroupTexts {
  readonly #textsOf: TextsOf;
  readonly #known = textGroups.map(() => new Map<number, Uint8Array>());

  constructor(textsOf: TextsOf) {
    this.#textsOf = textsOf;
  }

  encoded(group: number, no: number): Uint8Array {
    const known = this.#known[group];
    const found = known?.get(no);
    if (found) return found;
    const values = this.#textsOf(no)?.split("\t") ?? [];
    const texts = textGroups[group]?.texts.map((_, index) => encodeText(values[index] ?? "")) ?? [];
    const encoded = new Uint8Array(Buffer.concat(texts));
    known?.set(no, encoded);
    return encoded;
  }
}

/** Its length as a variable-length number, then its bytes. */
function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest >= 128; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

class RowWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** For whole numbers up to 2^53. */
  u64(value: number): void {
    this.u32(value % 2 ** 32);
    this.u32(Math.floor(value / 2 ** 32));
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    const target = this.#bytes;
    let at = this.#at;
    // Texts are short, so this takes half the time of `set`.
    for (let index = 0; index < bytes.length; index += 1) target[at++] = bytes[index] as number;
    this.#at = at;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
