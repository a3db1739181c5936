import type { TimeRange } from "../../clicks-engine.ts";
import { DAY_MS, dayOf } from "../../slots.ts";
import type { SeriesPlan } from "./series.ts";

/** A UTC day, or the part of it that is in the range, and its only bucket. */
export interface DayPiece extends TimeRange {
  readonly bucket: number;
}

// Each is a part of one statement.
const DAYS_MAX = 100;

/** The days to read click by click; nothing if one of them has several buckets, or if there are too many. */
export function findDayPieces({
  rawRanges,
  summarisedDays,
  bucketStartsMs,
}: Pick<SeriesPlan, "rawRanges" | "summarisedDays" | "bucketStartsMs">): readonly DayPiece[] | null {
  const summarised = new Set(summarisedDays);
  const pieces: DayPiece[] = [];
  for (const range of rawRanges) {
    for (let { fromMs } = range; fromMs < range.toMs; ) {
      const day = dayOf(fromMs);
      const toMs = Math.min((day + 1) * DAY_MS, range.toMs);
      const bucket = bucketStartsMs.findLastIndex((start) => start <= fromMs);
      const next = bucketStartsMs[bucket + 1] ?? Number.POSITIVE_INFINITY;
      if (bucket < 0 || next < toMs || pieces.length >= DAYS_MAX) return null;
      if (!summarised.has(day)) pieces.push({ fromMs, toMs, bucket });
      fromMs = toMs;
    }
  }
  return pieces;
}
