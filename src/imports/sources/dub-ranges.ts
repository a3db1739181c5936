import type { ReadContext } from "#imports/import-source.ts";
import { type DateRange, rangesBetween } from "./date-ranges.ts";

/** Dub refuses to be asked about days before it was founded; links that were moved to it can be older. */
const FOUNDED_MS = Date.UTC(2022, 8, 22);

/** All days since then that it may be asked about, and whose clicks are wanted. */
export const dubRanges = (
  { countsFrom }: Pick<ReadContext, "countsFrom">,
  fromMs: number,
  daysMax: number,
): Iterable<DateRange> => rangesBetween(Math.max(fromMs, countsFrom ?? 0, FOUNDED_MS), Date.now(), daysMax);
