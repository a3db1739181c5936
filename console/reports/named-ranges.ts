import { addDays, dayIn, monthBefore } from "#console/ui/days.ts";
import { findTimeZone } from "#shared/time-zone.ts";

/** The API's intervals, and two that only the console has. */
export const rangeNames = ["today", "24h", "7d", "30d", "90d", "1y", "mtd", "last_month", "ytd", "all"] as const;
export type RangeName = (typeof rangeNames)[number];

export const DEFAULT_RANGE: RangeName = "30d";

const HOUR_MS = 3_600_000;
const WEEKS_PER_YEAR = 52;

interface ReportRange {
  readonly interval?: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * What to ask the API for. Its own intervals begin at this minute some days ago, so their totals fall while one watches.
 * These begin with a day, and most end with today: whole days, of which the last isn't over yet.
 */
export function toReportRange(name: RangeName, timezone: string, nowMs: number): ReportRange {
  const today = dayIn(timezone, nowMs);
  const daysFrom = (from: string): ReportRange => ({ from, to: addDays(today, 1) });
  switch (name) {
    case "24h":
      return lastHours(24, timezone, nowMs);
    case "today":
      return daysFrom(today);
    case "7d":
      return daysFrom(addDays(today, -6));
    case "30d":
      return daysFrom(addDays(today, -29));
    case "90d":
      return daysFrom(addDays(today, -89));
    case "1y":
      // It is shown by week, so that it begins with a Monday.
      return daysFrom(addDays(mondayOf(today), -7 * (WEEKS_PER_YEAR - 1)));
    case "mtd":
      return daysFrom(`${today.slice(0, 7)}-01`);
    case "last_month":
      return { ...monthBefore(today) };
    case "ytd":
      return daysFrom(`${today.slice(0, 4)}-01-01`);
    case "all":
      return { interval: "all" };
  }
}

const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** Full hours of the local clock, up to the end of this one. */
function lastHours(hours: number, timezone: string, nowMs: number): ReportRange {
  const offset = findTimeZone(timezone)?.offsetAt(nowMs) ?? 0;
  const thisHour = Math.floor((nowMs + offset) / HOUR_MS) * HOUR_MS - offset;
  const write = (ms: number): string => new Date(ms).toISOString();
  return { from: write(thisHour - (hours - 1) * HOUR_MS), to: write(thisHour + HOUR_MS) };
}
