import { type FileHandle, open } from "node:fs/promises";
import { undefinedIfMissing } from "#kernel/error-codes.ts";
import { seedOf } from "./journal-block.ts";
import { emptySlice, type Slice, type SliceState, sliceFrom } from "./journal-slice.ts";
import type { Segment } from "./segments.ts";

const INSPECTED_BYTES = 1024 * 1024;

/** Reads a slice of a file, see `sliceFrom`. A missing segment was ingested, so it is at its end. */
export async function readSlice(
  { path, isFinal }: Pick<Segment, "path" | "isFinal">,
  fromOffset: number,
  bytesMax: number,
): Promise<Slice> {
  const file = await open(path, "r").catch(undefinedIfMissing);
  if (file === undefined) return emptySlice("end", fromOffset);
  try {
    const source = { size: (await file.stat()).size, read: readBytes.bind(undefined, file) };
    return await sliceFrom(source, { seed: seedOf(path), isFinal, fromOffset, bytesMax });
  } finally {
    await file.close();
  }
}

/** Reads a whole segment to decide whether it can be deleted or goes to quarantine. */
export async function inspectSegment(segment: Pick<Segment, "path" | "isFinal">): Promise<SegmentInspection> {
  let lines = 0;
  let skippedBytes = 0;
  let missingLines = 0;
  for (let offset = 0; ; ) {
    const slice = await readSlice(segment, offset, INSPECTED_BYTES);
    lines += slice.lines;
    skippedBytes += slice.skippedBytes;
    missingLines += slice.missingLines;
    offset = slice.toOffset;
    if (slice.state !== "more") return { lines, skippedBytes, missingLines, state: slice.state };
  }
}

export interface SegmentInspection extends Pick<Slice, "lines" | "skippedBytes" | "missingLines"> {
  readonly state: Exclude<SliceState, "more">;
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
