import { basename } from "node:path";

/**
 * A block is the header `\x01<crc32> <payload bytes> <first sequence number> <lines> <offset>\n` and whole lines. The
 * checksum covers all that follows it. The offset is where the block was put in the file, so that a copy elsewhere is
 * known for one. A block without lines ends the segment.
 */
export interface BlockFields {
  readonly payloadBytes: number;
  readonly firstSeq: number;
  readonly lines: number;
  readonly offset: number;
}

/** A block that was found in a buffer and whose checksum holds. */
export interface Block extends BlockFields {
  readonly start: number;
  readonly payloadStart: number;
  readonly end: number;
}

/** "incomplete": what there is may be the beginning of a block. */
export type ParsedBlock = Block | "incomplete" | "damaged";

/** No line holds this byte, so it is found again after damage. */
export const BLOCK_MARK = 1;
export const HEADER_BYTES_MAX = 64;
/** Far above what is ever put into one block: a header that claims more is damaged. */
const PAYLOAD_BYTES_MAX = 12 * 1024 * 1024;

/** After the mark, the checksum and a space. */
const SUMMED_FROM = 10;

const HEADER = /^([0-9a-f]{8}) (\d{1,8}) (\d{1,16}) (\d{1,8}) (\d{1,16})\n/;
const HEADER_BEGINNING = /^[0-9a-f ]*$/;

/** Where checksums start: a block that strayed into another segment does not pass there. */
export const seedOf = (path: string): number => Bun.hash.crc32(basename(path));

/** Looks for a block at one place of a buffer. */
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
