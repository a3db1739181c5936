import type { TextsOf } from "#engines/clicks/click-format.ts";

/** A verified part of a segment, as it goes into an engine. */
export interface SegmentSlice {
  readonly segment: string;
  /** Whole lines, in the order of writing. */
  readonly payload: Buffer;
  /** The texts that lines refer to. */
  readonly textsOf: TextsOf;
  readonly lines: number;
  /** The sequence number of the first line; null when there are none. */
  readonly firstSeq: number | null;
  /** Where the next slice of the segment starts. */
  readonly toOffset: number;
}

/**
 * Takes every click of the journal exactly once: what it stores and its position are written in one transaction.
 * After a failure some of the slices may have been stored; see `positionOf`.
 */
export interface JournalConsumer {
  /** What its figures go by. */
  readonly name: string;
  /** More lines than these it does not take well at a time. */
  readonly linesMax?: number;
  /** Finishes what a failure or a crash has left between two transactions; called before it is handed more. */
  settle?(): Promise<void>;
  positionOf(segment: string): Promise<number>;
  consume(slices: readonly SegmentSlice[]): Promise<void>;
  /** Forgets the positions of all segments but these: the others are deleted, and their names never come back. */
  forgetAllBut(segments: readonly string[]): Promise<void>;
}
