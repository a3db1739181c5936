import { BLOCK_MARK, type Block, type ParsedBlock, parseBlock } from "./journal-block.ts";

/** Blocks that follow each other without a gap, and what stands after the last. */
export interface Run {
  readonly blocks: readonly Block[];
  readonly end: number;
  readonly stop: "nothing" | "incomplete" | "damaged";
}

/**
 * Reads the blocks at the beginning of a part of a segment, which starts at this offset of the file. Each must stand
 * where it was written, so that no copy counts twice.
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
 * Finds every block of a damaged segment, wherever it stands now, once. Of several copies the one that stands where it
 * was written counts, else the first. In the order in which they stand.
 */
export function salvageBlocks(bytes: Buffer, seed: number): Block[] {
  const blocks = new Map<number, Block>();
  let start = bytes.indexOf(BLOCK_MARK);
  while (start >= 0) {
    const next = bytes.indexOf(BLOCK_MARK, start + 1);
    // A block ends before the next one begins, so each byte is summed up once, whatever lengths the headers claim.
    const parsed: ParsedBlock = parseBlock(next < 0 ? bytes : bytes.subarray(0, next), start, seed);
    if (typeof parsed === "object" && (parsed.offset === parsed.start || !blocks.has(parsed.offset))) {
      blocks.set(parsed.offset, parsed);
    }
    start = next;
  }
  return [...blocks.values()].sort((a, b) => a.start - b.start);
}

/** The lines of blocks without their headers; moves them together in the memory they stand in. */
export function joinPayloads(bytes: Buffer, blocks: readonly Block[]): Buffer {
  let end = 0;
  for (const { payloadStart, end: payloadEnd } of blocks) {
    bytes.copyWithin(end, payloadStart, payloadEnd);
    end += payloadEnd - payloadStart;
  }
  return bytes.subarray(0, end);
}
