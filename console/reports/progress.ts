import type { Period, SeriesPoint } from "./report-query.ts";

export interface Progress {
  /** The last bucket that has begun; −1 where all lie in the future. */
  readonly last: number;
  /** Whether that bucket isn't complete: it will still rise, or the period ends within it. */
  readonly isOpen: boolean;
}

/** How far a series has come. A period may end later than now, or in the middle of a bucket. */
export function findProgress(
  series: readonly Pick<SeriesPoint, "start">[],
  { to }: Pick<Period, "to">,
  nowMs: number,
): Progress {
  const starts = series.map(({ start }) => Date.parse(start));
  const last = starts.findLastIndex((start) => start <= nowMs);
  const start = starts[last];
  if (start === undefined) return { last, isOpen: false };
  const toMs = Date.parse(to);
  const next = starts[last + 1];
  if (next !== undefined || toMs > nowMs) return { last, isOpen: (next ?? toMs) > nowMs };
  // What follows the last bucket is not known; it is judged by the length of the one before.
  const before = starts[last - 1];
  return { last, isOpen: before !== undefined && toMs < start + (start - before) * 0.95 };
}
