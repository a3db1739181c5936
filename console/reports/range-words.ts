import { addDays, formatDays, isDay, readDayRange } from "#console/ui/days.ts";
import { intervals } from "#contract/analytics.ts";
import { formatMinute } from "./dates.ts";
import { DEFAULT_INTERVAL, type Interval, type ReportSearch } from "./report-search.ts";

export const intervalNames: { readonly [I in Interval]: string } = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "1y": "Last year",
  mtd: "This month",
  ytd: "This year",
  all: "All time",
};

type Range = Pick<ReportSearch, "interval" | "from" | "to">;

const OTHER = "Custom range";

/** Nothing where the address names a beginning, an end, or no interval that there is. */
export function chosenInterval({ interval = DEFAULT_INTERVAL, from, to }: Range): Interval | undefined {
  return from === undefined && to === undefined ? intervals.find((name) => name === interval) : undefined;
}

/** The range of an address in words; where it makes no sense the API says so, not this. */
export function describeRange(range: Range, timezone: string): string {
  const interval = chosenInterval(range);
  if (interval) return intervalNames[interval];
  const days = readDayRange(range);
  if (days) return formatDays(days);
  const { from = "", to } = range;
  const first = isDay(from) ? formatOneDay(from) : findMoment(from, timezone);
  if (to === undefined) return first === undefined ? OTHER : `Since ${first}`;
  const last = findMoment(to, timezone) ?? (isDay(to) && !isDay(from) ? formatOneDay(addDays(to, -1)) : undefined);
  return first === undefined || last === undefined ? OTHER : `${first} – ${last}`;
}

const formatOneDay = (day: string): string => formatDays({ from: day, to: addDays(day, 1) });

function findMoment(text: string, timezone: string): string | undefined {
  const ms = /^\d{4}-\d\d-\d\dT/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : formatMinute(ms, timezone);
}
