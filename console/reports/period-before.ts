import { addDays, addMonths, dayIn, isDay } from "#console/ui/days.ts";
import { findTimeZone, type TimeZone } from "#shared/time-zone.ts";
import type { RangeName } from "./named-ranges.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Longer than this, the API counts by week.
const DAYS_BY_DAY_MAX = 92;
// A year of whole weeks.
const WEEKS_OF_YEAR_DAYS = 364;

/** Those that follow the calendar are compared by it, although months differ in length. */
const monthsBack: Readonly<Partial<Record<RangeName, number>>> = { mtd: 1, last_month: 1, ytd: 12 };

/** A period as the API is asked for it: days or instants. */
interface AskedPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timezone?: string | undefined;
  readonly granularity?: string | undefined;
}

export interface PeriodBefore {
  readonly from: string;
  readonly to: string;
}

/**
 * As many days right before; of a month or year by its name, the one before. Of a period that isn't over yet, only the
 * part until the same time of day, so that a morning isn't compared with a whole day. Nothing for what makes no period.
 */
export function findPeriodBefore(asked: AskedPeriod, nowMs: number, name?: RangeName): PeriodBefore | null {
  const { from = "", to, timezone = "UTC" } = asked;
  const zone = findTimeZone(timezone);
  if (!zone) return null;
  if (!isDay(from)) return hoursBefore(from, to, nowMs);

  const endsMs = to === undefined ? nowMs : isDay(to) ? undefined : Date.parse(to);
  if (Number.isNaN(endsMs)) return null;
  const today = dayIn(timezone, nowMs);
  const untilDay = endsMs === undefined ? (to ?? "") : addDays(dayIn(timezone, endsMs), 1);
  const days = (Date.parse(untilDay) - Date.parse(from)) / DAY_MS;
  if (days <= 0 || from > today) return null;
  const months = name && monthsBack[name];
  if (months && !isByWeek(asked, days)) return monthsBefore(from, months, { today, nowMs, untilDay, zone });
  const back = isByWeek(asked, days) ? weeksBack(days, name) : days;
  const knownMs = endsMs === undefined && untilDay <= today ? undefined : Math.min(endsMs ?? nowMs, nowMs);
  const earlier = addDays(from, -back);
  if (knownMs === undefined) return { from: earlier, to: addDays(untilDay, -back) };
  return { from: earlier, to: new Date(daysEarlier(knownMs, back, zone)).toISOString() };
}

/** A year that is almost over has a day more than its weeks. */
const weeksBack = (days: number, name?: RangeName): number =>
  Math.max(name === "ytd" ? WEEKS_OF_YEAR_DAYS : 0, Math.ceil(days / 7) * 7);

interface Known {
  readonly today: string;
  readonly nowMs: number;
  readonly untilDay: string;
  readonly zone: TimeZone;
}

/** Of months from their first day: as many months earlier, until the same day if they aren't over. */
function monthsBefore(from: string, months: number, { today, nowMs, untilDay, zone }: Known): PeriodBefore {
  const earlier = addMonths(from, -months);
  if (untilDay <= today) return { from: earlier, to: addMonths(untilDay, -months) };
  const sameDay = addMonths(today, -months);
  // A shorter month is over by then.
  if (sameDay.slice(8) !== today.slice(8)) return { from: earlier, to: addDays(sameDay, 1) };
  const back = (Date.parse(today) - Date.parse(sameDay)) / DAY_MS;
  return { from: earlier, to: new Date(daysEarlier(nowMs, back, zone)).toISOString() };
}

/** At the same time of day, although the clock may have been changed in between; later where it skipped that time. */
function daysEarlier(ms: number, days: number, zone: TimeZone): number {
  const guess = ms - days * DAY_MS;
  const endMs = guess + zone.offsetAt(ms) - zone.offsetAt(guess);
  return Math.max(endMs, guess + zone.offsetAt(ms) - zone.offsetAt(endMs));
}

/** Weeks are compared with weeks, so they must begin on the same day. */
const isByWeek = ({ granularity }: AskedPeriod, days: number): boolean =>
  granularity === "week" || (granularity === undefined && days > DAYS_BY_DAY_MAX);

/** Of a period that begins in the middle of a day: as many full hours before. */
function hoursBefore(from: string, to: string | undefined, nowMs: number): PeriodBefore | null {
  const fromMs = Date.parse(from);
  const toMs = to === undefined ? nowMs : isDay(to) ? Number.NaN : Date.parse(to);
  const back = Math.ceil((toMs - fromMs) / HOUR_MS) * HOUR_MS;
  if (!(back > 0) || fromMs > nowMs) return null;
  const write = (ms: number): string => new Date(ms - back).toISOString();
  return { from: write(fromMs), to: write(Math.min(toMs, nowMs)) };
}
