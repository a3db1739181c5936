import { type Definitions, readDefinitions } from "./definitions.ts";
import { fromFormat1 } from "./format-1.ts";
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

export interface BlockContents {
  readonly lines: Buffer;
  readonly definitions: Definitions;
  /** The texts of lines of an earlier release. No other block refers to them, so they needn't be kept. */
  readonly ownTexts: Definitions;
}

/** The blocks' lines and definitions without headers; the lines are moved together in place. */
export function joinBlocks(bytes: Buffer, blocks: readonly Block[]): BlockContents {
  const definitions = new Map<number, string>();
  if (blocks.some(({ format }) => format === 1)) return convertBlocks(bytes, blocks, definitions);
  let end = 0;
  for (const { payloadStart, linesStart, end: blockEnd } of blocks) {
    if (linesStart > payloadStart) readDefinitions(bytes.subarray(payloadStart, linesStart), definitions);
    bytes.copyWithin(end, linesStart, blockEnd);
    end += blockEnd - linesStart;
  }
  return { lines: bytes.subarray(0, end), definitions, ownTexts: noTexts };
}

const noTexts: Definitions = new Map();

/** Blocks of which at least some have the lines of an earlier release. */
function convertBlocks(bytes: Buffer, blocks: readonly Block[], definitions: Map<number, string>): BlockContents {
  const ownTexts = new Map<number, string>();
  const lines = blocks.map(({ format, offset, payloadStart, linesStart, end }) => {
    readDefinitions(bytes.subarray(payloadStart, linesStart), definitions);
    const content = bytes.subarray(linesStart, end);
    // Numbers that begin at the block's position are the same however the segment is read.
    return format === 1 ? Buffer.from(fromFormat1(content.toString(), offset, ownTexts)) : content;
  });
  return { lines: Buffer.concat(lines), definitions, ownTexts };
}
