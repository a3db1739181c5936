import { joinBlocks, readRun, salvageBlocks } from "./block-run.ts";
import type { Definitions } from "./definitions.ts";
import { BLOCK_MARK, type Block, HEADER_BYTES_MAX, parseBlock } from "./journal-block.ts";

/**
 * "more": read on from `toOffset` at once. "not yet": read on later. "end" and "torn": nothing follows `toOffset` and
 * never will; "torn" if a dead writer or a power cut left an unfinished block there.
 */
export type SliceState = "more" | "not yet" | "end" | "torn";

/** Verified lines from one part of a segment. */
export interface Slice {
  readonly payload: Buffer;
  readonly lines: number;
  /** The texts it defines; lines may also refer to those of all slices before. */
  readonly definitions: Definitions;
  /** The texts of lines of an earlier release, to which no other slice refers. */
  readonly ownTexts: Definitions;
  /** Sequence numbers of the first and last line; null if there are none. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly toOffset: number;
  readonly state: SliceState;
  /** Damaged bytes that were skipped: the segment then goes to quarantine instead of being deleted. */
  readonly skippedBytes: number;
  /** How many lines the damage destroyed, according to the sequence numbers around it. */
  readonly missingLines: number;
}

/** The content of a segment. */
export interface SegmentSource {
  readonly size: number;
  /** May return fewer bytes than requested if the file was truncated meanwhile. */
  readonly read: (offset: number, length: number) => Promise<Buffer>;
}

export interface SlicePlace {
  readonly seed: number;
  readonly isFinal: boolean;
  readonly fromOffset: number;
  readonly bytesMax: number;
}

// Segments are far smaller; a larger damaged file isn't ours and isn't read into memory.
const SALVAGE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Reads whole blocks from the offset where an earlier slice ended, up to `bytesMax` bytes, or one larger block. Slices
 * are deterministic: to repeat one, request exactly as many bytes as it spanned.
 */
export async function sliceFrom(source: SegmentSource, place: SlicePlace): Promise<Slice> {
  const { seed, isFinal, fromOffset, bytesMax } = place;
  const { size } = source;
  for (let windowBytes = Math.max(bytesMax, HEADER_BYTES_MAX); ; windowBytes *= 2) {
    const wantedBytes = Math.min(windowBytes, Math.max(0, size - fromOffset));
    const bytes = await source.read(fromOffset, wantedBytes);
    const { blocks, end, stop } = readRun(bytes, fromOffset, seed);
    const isAtEnd = bytes.length < wantedBytes || fromOffset + bytes.length >= size;
    const [first] = blocks;
    if (first !== undefined && end > bytesMax) return toSlice(bytes, [first], fromOffset + first.end, "more");
    const toOffset = fromOffset + end;
    if (stop === "nothing" && isAtEnd) {
      const isEnded = isFinal || (await hasEndBlock(source, seed));
      return toSlice(bytes, blocks, toOffset, isEnded ? "end" : "not yet");
    }
    if (first !== undefined && (isFinal || !isAtEnd)) return toSlice(bytes, blocks, toOffset, "more");
    // The writer may be in the middle of a write; whether it is damage is decided once the segment is final.
    if (!isFinal && (isAtEnd || stop === "damaged")) return toSlice(bytes, blocks, toOffset, "not yet");
    if (stop === "damaged") return salvageFrom(source, place);
    if (isAtEnd) return emptySlice("torn", size);
  }
}

async function hasEndBlock({ size, read }: SegmentSource, seed: number): Promise<boolean> {
  const offset = Math.max(0, size - HEADER_BYTES_MAX);
  const bytes = await read(offset, size - offset);
  const start = bytes.lastIndexOf(BLOCK_MARK);
  const parsed = parseBlock(bytes, start, seed);
  return typeof parsed === "object" && parsed.lines === 0 && parsed.offset === offset + start;
}

async function salvageFrom(source: SegmentSource, place: SlicePlace): Promise<Slice> {
  const { seed, fromOffset, bytesMax } = place;
  const { size } = source;
  if (size > SALVAGE_BYTES_MAX) return { ...emptySlice("torn", size), skippedBytes: size - fromOffset };
  const bytes = await source.read(0, size);
  const blocks = salvageBlocks(bytes, seed);
  const at = blocks.findIndex(({ start }) => start >= fromOffset);
  const first = blocks[at];
  if (first === undefined) {
    // A power cut leaves zeros in place of data that never reached the disk, so there is nothing to keep.
    const rest = bytes.subarray(fromOffset);
    return { ...emptySlice("torn", size), skippedBytes: rest.equals(Buffer.alloc(rest.length)) ? 0 : rest.length };
  }
  const before = blocks[at - 1];
  const taken = [first];
  for (const block of blocks.slice(at + 1)) {
    if (block.start !== taken.at(-1)?.end || block.end - fromOffset > bytesMax) break;
    taken.push(block);
  }
  return {
    ...toSlice(bytes, taken, taken.at(-1)?.end ?? size, "more"),
    skippedBytes: first.start - fromOffset,
    missingLines: before === undefined ? 0 : Math.max(0, first.firstSeq - before.firstSeq - before.lines),
  };
}

function toSlice(bytes: Buffer, blocks: readonly Block[], toOffset: number, state: SliceState): Slice {
  const first = blocks.find(({ lines }) => lines > 0);
  const last = blocks.findLast(({ lines }) => lines > 0);
  const { lines: payload, definitions, ownTexts } = joinBlocks(bytes, blocks);
  return {
    ...emptySlice(state, toOffset),
    payload,
    definitions,
    ownTexts,
    lines: blocks.reduce((sum, { lines }) => sum + lines, 0),
    firstSeq: first?.firstSeq ?? null,
    lastSeq: last === undefined ? null : last.firstSeq + last.lines - 1,
  };
}

export const emptySlice = (state: SliceState, toOffset: number): Slice => ({
  payload: Buffer.alloc(0),
  lines: 0,
  definitions: new Map(),
  ownTexts: new Map(),
  firstSeq: null,
  lastSeq: null,
  toOffset,
  state,
  skippedBytes: 0,
  missingLines: 0,
});
