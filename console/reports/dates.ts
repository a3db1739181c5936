import type { Granularity } from "#contract/analytics.ts";
import { findProgress } from "./progress.ts";
import type { Period, SeriesPoint } from "./report-query.ts";

/** English as the rest of the page, with the day before the month and the clock up to 24. */
const LOCALE = "en-GB";

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes longer than using it a thousand times. */
function formatterOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}

const format = (instant: string | number, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  formatterOf(timeZone, options).format(new Date(instant));

const day = { day: "numeric", month: "short" } as const;
const clock = { hour: "2-digit", minute: "2-digit" } as const;

/** Beside an axis, as short as it can be. */
export function formatTick(start: string, granularity: Granularity, timezone: string): string {
  if (granularity === "hour") return format(start, timezone, clock);
  if (granularity === "month") return format(start, timezone, { month: "short", year: "numeric" });
  return format(start, timezone, day);
}

/** The bucket in full. */
export function formatBucket(start: string, granularity: Granularity, timezone: string): string {
  switch (granularity) {
    case "hour":
      return format(start, timezone, { weekday: "short", ...day, ...clock });
    case "day":
      return format(start, timezone, { weekday: "short", ...day, year: "numeric" });
    case "week":
      return `Week of ${format(start, timezone, { ...day, year: "numeric" })}`;
    case "month":
      return format(start, timezone, { month: "long", year: "numeric" });
  }
}

interface Cut {
  readonly series: readonly Pick<SeriesPoint, "start">[];
  readonly period: Period;
}

/** A bucket of a period that is over, and how much of it that period has. */
export function formatCutBucket({ series, period }: Cut, index: number): string {
  const { from, to, granularity, timezone } = period;
  const start = series[index]?.start ?? from;
  const name = formatBucket(start, granularity, timezone);
  if (Date.parse(start) < Date.parse(from)) return `${name}, from ${format(from, timezone, day)}`;
  const { isOpen } = findProgress(series, period, Number.POSITIVE_INFINITY);
  if (!isOpen || index < series.length - 1) return name;
  const isShort = granularity === "hour" || granularity === "day";
  return `${name}, until ${format(to, timezone, isShort ? clock : { ...day, ...clock })}`;
}

/** First and last day of a period; its end is exclusive. */
export function formatPeriod({ from, to, timezone }: Pick<Period, "from" | "to" | "timezone">): string {
  const lastMs = Math.max(Date.parse(from), Date.parse(to) - 1);
  return formatterOf(timezone, { ...day, year: "numeric" }).formatRange(new Date(from), lastMs);
}

/** The same, with the time of day where it ends in the middle of one. */
export function formatCutPeriod(period: Pick<Period, "from" | "to" | "timezone">): string {
  const end = format(period.to, period.timezone, clock);
  return end === "00:00" ? formatPeriod(period) : `${formatPeriod(period)}, until ${end}`;
}

export const formatMinute = (ms: number, timezone: string): string =>
  format(ms, timezone, { ...day, year: "numeric", ...clock });

export const formatClock = (instant: string, timezone: string): string =>
  format(instant, timezone, { ...clock, second: "2-digit" });
