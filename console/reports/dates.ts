import { locale } from "#console/ui/locale.ts";
import type { Granularity } from "#contract/analytics.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import { reportTexts } from "#texts/reports.ts";
import { findProgress } from "./progress.ts";
import type { Period, SeriesPoint } from "./report-query.ts";

const texts = reportTexts.dates;
const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes longer than using it a thousand times. */
function formatterOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}

const format = (instant: string | number, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  formatterOf(timeZone, options).format(new Date(instant));

const day = { day: "numeric", month: "short" } as const;
/** A clock up to 12 has no leading zeros. */
const hour = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit";
const clock = { hour, minute: "2-digit" } as const;

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
      return texts.weekOf(format(start, timezone, { ...day, year: "numeric" }));
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
  if (Date.parse(start) < Date.parse(from)) return texts.from(name, format(from, timezone, day));
  const { isOpen } = findProgress(series, period, Number.POSITIVE_INFINITY);
  if (!isOpen || index < series.length - 1) return name;
  const isShort = granularity === "hour" || granularity === "day";
  return texts.until(name, format(to, timezone, isShort ? clock : { ...day, ...clock }));
}

/** First and last day of a period; its end is exclusive. */
export function formatPeriod({ from, to, timezone }: Pick<Period, "from" | "to" | "timezone">): string {
  const lastMs = Math.max(Date.parse(from), Date.parse(to) - 1);
  return formatterOf(timezone, { ...day, year: "numeric" }).formatRange(new Date(from), lastMs);
}

/** The same, with the time of day where it ends in the middle of one. */
export function formatCutPeriod(period: Pick<Period, "from" | "to" | "timezone">): string {
  const { to, timezone } = period;
  const days = formatPeriod(period);
  return isMidnight(to, timezone) ? days : texts.until(days, format(to, timezone, clock));
}

/** To the minute, as it would be written. */
function isMidnight(instant: string, timezone: string): boolean {
  const ms = Date.parse(instant);
  const minutes = Math.floor((ms + (findTimeZone(timezone)?.offsetAt(ms) ?? 0)) / MINUTE_MS);
  return minutes % MINUTES_PER_DAY === 0;
}

export const formatMinute = (ms: number, timezone: string): string =>
  format(ms, timezone, { ...day, year: "numeric", ...clock });

export const formatClock = (instant: string, timezone: string): string =>
  format(instant, timezone, { ...clock, second: "2-digit" });
