/** A verified part of a segment, as it goes into an engine. */
export interface SegmentSlice {
  readonly segment: string;
  /** Whole lines, in the order of writing. */
  readonly payload: Buffer;
  readonly lines: number;
  /** The sequence number of the first line; null when there are none. */
  readonly firstSeq: number | null;
  /** Where the next slice of the segment starts. */
  readonly toOffset: number;
}

/**
 * Somebody who takes every click of the journal exactly once: what it stores and how far it came are one transaction.
 * After a failure some of the slices may have been taken; `positionOf` tells.
 */
export interface JournalConsumer {
  /** What its figures go by. */
  readonly name: string;
  /** Finishes what a failure or a crash has left between two transactions; called before it is handed more. */
  settle?(): Promise<void>;
  positionOf(segment: string): Promise<number>;
  consume(slices: readonly SegmentSlice[]): Promise<void>;
  /** For segments that are deleted and whose names never come back. */
  forget(segments: readonly string[]): Promise<void>;
  /** The same for all segments but these, after a start: a process that was killed may not have come to it. */
  forgetAllBut(segments: readonly string[]): Promise<void>;
}
