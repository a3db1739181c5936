import type { UtcOffset } from "./clicks-engine.ts";
import { SLOT_MS } from "./slots.ts";

export const HOURS_PER_WEEK = 168;
export const SLOTS_PER_HOUR = 4;

/** The epoch was a Thursday. One week more, so that no local time is negative. */
const MONDAY_SLOTS = (3 * 24 + HOURS_PER_WEEK) * SLOTS_PER_HOUR;

/**
 * What to add to the number of a slot to get the slots since a Monday in local time, as SQL that both engines
 * understand; `offsets` are in ascending order.
 */
export function localShift(offsets: readonly UtcOffset[]): string {
  const [first, ...later] = offsets.map(({ fromMs, offsetMs }) => ({
    slot: Math.round(fromMs / SLOT_MS),
    shift: Math.round(offsetMs / SLOT_MS) + MONDAY_SLOTS,
  }));
  const otherwise = first?.shift ?? MONDAY_SLOTS;
  if (later.length === 0) return String(otherwise);
  // The last one that has begun by then.
  const cases = later.toReversed().map(({ slot, shift }) => `when slot >= ${slot} then ${shift}`);
  return `case ${cases.join(" ")} else ${otherwise} end`;
}

/** All hours of the week, from rows of an hour and its clicks. */
export function toWeekHours(rows: Iterable<readonly [hour: number, clicks: number]>): number[] {
  const hours = Array.from({ length: HOURS_PER_WEEK }, () => 0);
  for (const [hour, clicks] of rows) hours[hour] = clicks;
  return hours;
}
