import { addDays, formatDays, isDay, readDayRange } from "#console/ui/days.ts";
import { reportTexts } from "#texts/reports.ts";
import { formatMinute } from "./dates.ts";
import { DEFAULT_RANGE, type RangeName, rangeNames } from "./named-ranges.ts";
import type { ReportSearch } from "./report-search.ts";

const texts = reportTexts.range;

type Range = Pick<ReportSearch, "interval" | "from" | "to">;

/** Nothing where the address names a beginning, an end, or no range that there is. */
export function chosenRange({ interval = DEFAULT_RANGE, from, to }: Range): RangeName | undefined {
  return from === undefined && to === undefined ? rangeNames.find((name) => name === interval) : undefined;
}

/** The range of an address in words; where it makes no sense the API says so, not this. */
export function describeRange(range: Range, timezone: string): string {
  const name = chosenRange(range);
  if (name) return texts.names[name];
  const days = readDayRange(range);
  if (days) return formatDays(days);
  const { from = "", to } = range;
  const first = isDay(from) ? formatOneDay(from) : findMoment(from, timezone);
  if (to === undefined) return first === undefined ? texts.custom : texts.since(first);
  const last = findMoment(to, timezone) ?? (isDay(to) && !isDay(from) ? formatOneDay(addDays(to, -1)) : undefined);
  return first === undefined || last === undefined ? texts.custom : `${first} – ${last}`;
}

const formatOneDay = (day: string): string => formatDays({ from: day, to: addDays(day, 1) });

function findMoment(text: string, timezone: string): string | undefined {
  const ms = /^\d{4}-\d\d-\d\dT/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : formatMinute(ms, timezone);
}
