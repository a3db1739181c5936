import { basename } from "node:path";
import { readSlice } from "#clicks/journal/journal-reader.ts";
import { emptySlice } from "#clicks/journal/journal-slice.ts";
import type { Segment } from "#clicks/journal/segments.ts";

/** How far a consumer is behind the journal. */
export interface JournalLag {
  readonly bytes: number;
  /** When the oldest click was made that it has not read; null where there is none. */
  readonly oldestAtMs: number | null;
}

/** Segments of one writer come in the order of writing, so the first unread click of each writer is its oldest. */
export async function measureLag(
  segments: readonly Segment[],
  positionOf: (segment: string) => Promise<number>,
): Promise<JournalLag> {
  const oldest = new Map<string, number>();
  let bytes = 0;
  for (const segment of segments) {
    const position = await positionOf(basename(segment.path));
    if (position >= segment.bytes) continue;
    bytes += segment.bytes - position;
    const writer = `${segment.node} ${segment.writer}`;
    const atMs = oldest.has(writer) ? undefined : await findClickTime(segment, position);
    if (atMs !== undefined) oldest.set(writer, atMs);
  }
  return { bytes, oldestAtMs: oldest.size === 0 ? null : Math.min(...oldest.values()) };
}

/** A click begins with its time. Bytes that hold no click end a segment, or are what a killed process left unfinished. */
async function findClickTime(segment: Segment, position: number): Promise<number | undefined> {
  // One that cannot be read still counts with its bytes.
  const { payload, lines } = await readSlice(segment, position, 1).catch(() => emptySlice("not yet", position));
  return lines === 0 ? undefined : Number.parseInt(payload.toString("latin1", 0, TIME_DIGITS_MAX), 10);
}

const TIME_DIGITS_MAX = 16;
