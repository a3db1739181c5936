import { CLICK_FORMAT } from "#engines/clicks/click-format.ts";
import { BLOCK_MARK, type BlockFields, HEADER_BYTES_MAX } from "./journal-block.ts";

export interface EncodedBlock {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly length: number;
}

export interface BlockContent {
  readonly definitions: string;
  readonly lines: string | Uint8Array;
}

type NewBlockFields = Pick<BlockFields, "firstSeq" | "lines" | "offset">;

const BYTES_PER_CHAR_MAX = 3;
// Enough for a few thousand clicks; a larger block gets a temporary buffer.
const KEPT_BYTES = 1024 * 1024;

const [LINE_FEED, SPACE, ZERO] = [10, 32, 48];
const HEX_DIGITS = new TextEncoder().encode("0123456789abcdef");

const encoder = new TextEncoder();

/** Encodes into a reused buffer: a block is valid until the next one is encoded. */
export function blockEncoder() {
  const kept = newBuffer(KEPT_BYTES);
  return ({ definitions, lines }: BlockContent, seed: number, fields: NewBlockFields): EncodedBlock => {
    const bytesMax = bytesMaxOf(definitions) + bytesMaxOf(lines);
    const { bytes, body } = bytesMax <= KEPT_BYTES ? kept : newBuffer(bytesMax);
    const definitionBytes = definitions === "" ? 0 : putLines(definitions, body);
    const payloadBytes =
      definitionBytes + putLines(lines, definitionBytes === 0 ? body : body.subarray(definitionBytes));
    const end = HEADER_BYTES_MAX + payloadBytes;
    // The header precedes the payload but depends on it, so it is written from right to left.
    let start = putByte(bytes, HEADER_BYTES_MAX, LINE_FEED);
    start = putByte(bytes, putNumber(bytes, start, definitionBytes), SPACE);
    start = putByte(bytes, putNumber(bytes, start, CLICK_FORMAT), SPACE);
    start = putByte(bytes, putNumber(bytes, start, fields.offset), SPACE);
    start = putByte(bytes, putNumber(bytes, start, fields.lines), SPACE);
    start = putByte(bytes, putNumber(bytes, start, fields.firstSeq), SPACE);
    start = putNumber(bytes, start, payloadBytes);
    const crc = Bun.hash.crc32(bytes.subarray(start, end), seed);
    start = putByte(bytes, putHex(bytes, putByte(bytes, start, SPACE), crc), BLOCK_MARK);
    return { bytes, start, length: end - start };
  };
}

const bytesMaxOf = (lines: string | Uint8Array): number =>
  typeof lines === "string" ? lines.length * BYTES_PER_CHAR_MAX : lines.length;

function putLines(lines: string | Uint8Array, body: Uint8Array): number {
  if (typeof lines === "string") return encoder.encodeInto(lines, body).written;
  body.set(lines);
  return lines.length;
}

function putByte(bytes: Uint8Array, end: number, byte: number): number {
  bytes[end - 1] = byte;
  return end - 1;
}

function putNumber(bytes: Uint8Array, end: number, value: number): number {
  let start = end;
  let rest = value;
  do {
    start = putByte(bytes, start, ZERO + (rest % 10));
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  return start;
}

function putHex(bytes: Uint8Array, end: number, value: number): number {
  for (let digit = 0; digit < 8; digit += 1) {
    bytes[end - 1 - digit] = HEX_DIGITS[(value >>> (4 * digit)) & 15] ?? 0;
  }
  return end - 8;
}

function newBuffer(bodyBytes: number) {
  const bytes = new Uint8Array(HEADER_BYTES_MAX + bodyBytes);
  return { bytes, body: bytes.subarray(HEADER_BYTES_MAX) };
}
