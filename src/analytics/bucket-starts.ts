import type { Granularity } from "#contract/analytics.ts";
import type { UtcOffset } from "#engines/clicks/clicks-engine.ts";
import type { TimeZone } from "#shared/time-zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// No zone was ever further from UTC than this, and none changed its offset twice within three days (tzdata 2026).
const OFFSET_MS_MAX = 16 * HOUR_MS;
const OFFSET_PROBE_MS = 3 * DAY_MS;

/**
 * Starts of the buckets that cover `[fromMs, toMs)`, the first one at or before `fromMs`.
 * Stops after `most`, so nobody can request a million hours.
 */
export function findBucketStarts(
  zone: TimeZone,
  granularity: Granularity,
  { fromMs, toMs, most }: { readonly fromMs: number; readonly toMs: number; readonly most: number },
): number[] | undefined {
  const starts: number[] = [];
  const source = granularity === "hour" ? hourStarts(zone, fromMs) : dateStarts(zone, granularity, fromMs);
  for (const start of source) {
    if (start >= toMs) return fromMs < toMs ? starts : [];
    if (start <= fromMs) starts.length = 0;
    // A day that a time zone skipped by crossing the date line has no bucket.
    if (start !== starts.at(-1)) starts.push(start);
    if (starts.length > most) return undefined;
  }
  return starts;
}

/** Full hours in local time, starting with one before `fromMs`. */
function* hourStarts(zone: TimeZone, fromMs: number): Generator<number> {
  let at = fromMs - 2 * HOUR_MS;
  for (;;) {
    const offset = zone.offsetAt(at);
    const end = findOffsetEnd(zone, at);
    for (at += modulo(-(at + offset), HOUR_MS); at < end; at += HOUR_MS) yield at;
    at = end;
  }
}

/** The zone's offsets during a range, each from when it holds; the first from the start. */
export function findOffsets(
  zone: TimeZone,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): UtcOffset[] {
  const found: UtcOffset[] = [{ fromMs, offsetMs: zone.offsetAt(fromMs) }];
  for (let at = fromMs; at < toMs; ) {
    at = findOffsetEnd(zone, at);
    const offsetMs = zone.offsetAt(at);
    if (at < toMs && offsetMs !== found.at(-1)?.offsetMs) found.push({ fromMs: at, offsetMs });
  }
  return found;
}

/** Until when the offset at `ms` applies, looking ahead a few days. */
function findOffsetEnd(zone: TimeZone, ms: number): number {
  const ahead = ms + OFFSET_PROBE_MS;
  return zone.offsetAt(ahead) === zone.offsetAt(ms) ? ahead : findTransition(zone, ms, ahead);
}

/** Starts of local days, ISO weeks or months, beginning with one before `fromMs`. */
function* dateStarts(zone: TimeZone, granularity: "day" | "week" | "month", fromMs: number): Generator<number> {
  const local = new Date(fromMs + zone.offsetAt(fromMs));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const weekday = (local.getUTCDay() + 6) % 7;
  for (let step = -1; ; step += 1) {
    if (granularity === "day") yield findDateStart(zone, utc(year, month, day + step));
    else if (granularity === "week") yield findDateStart(zone, utc(year, month, day - weekday + 7 * step));
    else yield findDateStart(zone, utc(year, month + step, 1));
  }
}

/** The first instant whose local date is `midnightMs` (a date written as its midnight in UTC) or later. */
export function findDateStart(zone: TimeZone, midnightMs: number): number {
  const first = midnightMs - OFFSET_MS_MAX;
  const last = midnightMs + OFFSET_MS_MAX;
  const before = zone.offsetAt(first);
  const after = zone.offsetAt(last);
  if (before === after) return midnightMs - before;
  const transition = findTransition(zone, first, last);
  // If the clock skips midnight, the day starts with the jump; if it is set back, with the first midnight.
  return midnightMs - before < transition ? midnightMs - before : Math.max(transition, midnightMs - after);
}

/** The instant between the two at which the offset changes to that of `last`. */
function findTransition(zone: TimeZone, first: number, last: number): number {
  const before = zone.offsetAt(first);
  let [low, high] = [first, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

// Date.UTC treats the years 0 to 99 as 1900 to 1999.
const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
