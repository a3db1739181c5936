import { basename } from "node:path";

/**
 * A block is the header `\x01<crc32> <payload bytes> <first sequence number> <lines> <offset>\n`, followed by whole
 * lines. The checksum covers everything after it. The offset is the block's position in the file, which reveals a copy
 * elsewhere. A block without lines ends the segment.
 */
export interface BlockFields {
  readonly payloadBytes: number;
  readonly firstSeq: number;
  readonly lines: number;
  readonly offset: number;
}

/** A block in a buffer, with a valid checksum. */
export interface Block extends BlockFields {
  readonly start: number;
  readonly payloadStart: number;
  readonly end: number;
}

/** "incomplete": this may be the start of a block. */
export type ParsedBlock = Block | "incomplete" | "damaged";

/** No line contains this byte, so blocks can be found again after damage. */
export const BLOCK_MARK = 1;
export const HEADER_BYTES_MAX = 64;
/** Far more than any block contains: a header that claims more is damaged. */
const PAYLOAD_BYTES_MAX = 12 * 1024 * 1024;

/** After the mark, the checksum and a space. */
const SUMMED_FROM = 10;

const HEADER = /^([0-9a-f]{8}) (\d{1,8}) (\d{1,16}) (\d{1,8}) (\d{1,16})\n/;
const HEADER_BEGINNING = /^[0-9a-f ]*$/;

/** The checksum seed, so a block that ended up in another segment is invalid there. */
export const seedOf = (path: string): number => Bun.hash.crc32(basename(path));

export function parseBlock(bytes: Buffer, start: number, seed: number): ParsedBlock {
  if (bytes[start] !== BLOCK_MARK) return "damaged";
  const text = bytes.toString("latin1", start + 1, Math.min(start + HEADER_BYTES_MAX, bytes.length));
  const [header, crc, payloadBytes, firstSeq, lines, offset] = HEADER.exec(text) ?? [];
  if (header === undefined) {
    return start + HEADER_BYTES_MAX > bytes.length && HEADER_BEGINNING.test(text) ? "incomplete" : "damaged";
  }
  const payloadStart = start + 1 + header.length;
  const end = payloadStart + Number(payloadBytes);
  if (Number(payloadBytes) > PAYLOAD_BYTES_MAX) return "damaged";
  if (end > bytes.length) return bytes.indexOf(BLOCK_MARK, payloadStart) < 0 ? "incomplete" : "damaged";
  if (Bun.hash.crc32(bytes.subarray(start + SUMMED_FROM, end), seed) !== Number(`0x${crc}`)) return "damaged";
  return {
    payloadBytes: Number(payloadBytes),
    firstSeq: Number(firstSeq),
    lines: Number(lines),
    offset: Number(offset),
    start,
    payloadStart,
    end,
  };
}
