import { basename } from "node:path";
import { CLICK_FORMAT } from "#engines/clicks/click-format.ts";

/**
 * A block is the header `\x01<crc32> <payload bytes> <first sequence number> <lines> <offset> <format> <definition
 * bytes>\n`, followed by definitions of texts and then by whole lines, which may refer to all definitions before them in
 * the segment. The checksum covers everything after it. The offset is the block's position in the file, which reveals a
 * copy elsewhere. A block without lines ends the segment. Format 1 had neither definitions nor the last two fields.
 */
export interface BlockFields {
  /** Definitions and lines. */
  readonly payloadBytes: number;
  readonly firstSeq: number;
  readonly lines: number;
  readonly offset: number;
  readonly format: number;
  readonly definitionBytes: number;
}

/** A block in a buffer, with a valid checksum. */
export interface Block extends BlockFields {
  readonly start: number;
  readonly payloadStart: number;
  /** Where the lines follow the definitions. */
  readonly linesStart: number;
  readonly end: number;
}

/** "incomplete": this may be the start of a block. */
export type ParsedBlock = Block | "incomplete" | "damaged";

/** No line contains this byte, so blocks can be found again after damage. */
export const BLOCK_MARK = 1;
export const HEADER_BYTES_MAX = 96;
/** Far more than any block contains: a header that claims more is damaged. */
const PAYLOAD_BYTES_MAX = 12 * 1024 * 1024;

/** The segment waits for a release that can read it. */
export class NewerFormat extends Error {
  constructor(format: number) {
    super(
      `it has clicks in format ${format}, which a newer release wrote; this one knows formats up to ${CLICK_FORMAT}`,
    );
  }
}

/** After the mark, the checksum and a space. */
const SUMMED_FROM = 10;

// Later formats may have more fields.
const HEADER = /^([0-9a-f]{8}) (\d{1,8}) (\d{1,16}) (\d{1,8}) (\d{1,16})(?: (\d{1,4}) (\d{1,8})(?: \d{1,16})*)?\n/;
const HEADER_BEGINNING = /^[0-9a-f ]*$/;

/** The checksum seed, so a block that ended up in another segment is invalid there. */
export const seedOf = (path: string): number => Bun.hash.crc32(basename(path));

export function parseBlock(bytes: Buffer, start: number, seed: number): ParsedBlock {
  if (bytes[start] !== BLOCK_MARK) return "damaged";
  const text = bytes.toString("latin1", start + 1, Math.min(start + HEADER_BYTES_MAX, bytes.length));
  const [header, crc, payloadBytes, firstSeq, lines, offset, format = 1, definitionBytes = 0] = HEADER.exec(text) ?? [];
  if (header === undefined) {
    return start + HEADER_BYTES_MAX > bytes.length && HEADER_BEGINNING.test(text) ? "incomplete" : "damaged";
  }
  const payloadStart = start + 1 + header.length;
  const end = payloadStart + Number(payloadBytes);
  if (Number(payloadBytes) > PAYLOAD_BYTES_MAX) return "damaged";
  if (end > bytes.length) return bytes.indexOf(BLOCK_MARK, payloadStart) < 0 ? "incomplete" : "damaged";
  if (Bun.hash.crc32(bytes.subarray(start + SUMMED_FROM, end), seed) !== Number(`0x${crc}`)) return "damaged";
  // The checksum is right, so this is no damage.
  if (Number(format) > CLICK_FORMAT) throw new NewerFormat(Number(format));
  if (Number(definitionBytes) > Number(payloadBytes)) return "damaged";
  return {
    payloadBytes: Number(payloadBytes),
    firstSeq: Number(firstSeq),
    lines: Number(lines),
    offset: Number(offset),
    format: Number(format),
    definitionBytes: Number(definitionBytes),
    start,
    payloadStart,
    linesStart: payloadStart + Number(definitionBytes),
    end,
  };
}
