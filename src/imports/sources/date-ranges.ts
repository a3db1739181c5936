import { DAY_MS, dayOf } from "#engines/clicks/slots.ts";

/** Days in UTC; both belong to it. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

/** All days from the one moment to the other, in ranges of at most so many. */
export function* rangesBetween(fromMs: number, toMs: number, daysMax: number): Generator<DateRange> {
  const last = dayOf(toMs);
  for (let day = dayOf(fromMs); day <= last; day += daysMax) {
    yield { start: dateOf(day), end: dateOf(Math.min(last, day + daysMax - 1)) };
  }
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
