import { BLOCK_MARK, type Block, type ParsedBlock, parseBlock } from "./journal-block.ts";

/** Consecutive blocks without a gap, and what follows the last one. */
export interface Run {
  readonly blocks: readonly Block[];
  readonly end: number;
  readonly stop: "nothing" | "incomplete" | "damaged";
}

/**
 * Reads the blocks at the start of `bytes`, which begin at this offset of the segment. A block must be where it was
 * written, so a copy never counts twice.
 */
export function readRun(bytes: Buffer, offset: number, seed: number): Run {
  const blocks: Block[] = [];
  let end = 0;
  while (end < bytes.length) {
    const parsed = parseBlock(bytes, end, seed);
    if (parsed === "incomplete") return { blocks, end, stop: "incomplete" };
    if (parsed === "damaged" || parsed.offset !== offset + end) return { blocks, end, stop: "damaged" };
    blocks.push(parsed);
    end = parsed.end;
  }
  return { blocks, end, stop: "nothing" };
}

/**
 * Finds every block of a damaged segment once, wherever it is now, in the order of the file. Of several copies, the one
 * at its original offset counts, otherwise the first.
 */
export function salvageBlocks(bytes: Buffer, seed: number): Block[] {
  const blocks = new Map<number, Block>();
  let start = bytes.indexOf(BLOCK_MARK);
  while (start >= 0) {
    const next = bytes.indexOf(BLOCK_MARK, start + 1);
    // A block ends before the next mark, so each byte is checksummed once, whatever lengths the headers claim.
    const parsed: ParsedBlock = parseBlock(next < 0 ? bytes : bytes.subarray(0, next), start, seed);
    if (typeof parsed === "object" && (parsed.offset === parsed.start || !blocks.has(parsed.offset))) {
      blocks.set(parsed.offset, parsed);
    }
    start = next;
  }
  return [...blocks.values()].sort((a, b) => a.start - b.start);
}

/** The blocks' lines without headers, moved together in place. */
export function joinPayloads(bytes: Buffer, blocks: readonly Block[]): Buffer {
  let end = 0;
  for (const { payloadStart, end: payloadEnd } of blocks) {
    bytes.copyWithin(end, payloadStart, payloadEnd);
    end += payloadEnd - payloadStart;
  }
  return bytes.subarray(0, end);
}
