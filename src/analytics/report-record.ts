import type { AccountDimension, AnalyticsReport } from "#contract/analytics.ts";
import type { Breakdown, BreakdownItem, Report, TimeRange, Totals } from "#engines/clicks/clicks-engine.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Period } from "./period.ts";

/** Ids of the links that a report lists by number. */
export type LinkIds = ReadonlyMap<number, string>;

interface Frame {
  /** `null`: the whole account. */
  readonly linkId: string | null;
  readonly period: Period;
  readonly previous: TimeRange | null;
  readonly linkIds: LinkIds;
  /** The instance's own short domain, which clicks are stored without. */
  readonly ownDomain: string;
}

/** The report in the contract's format. */
export function toReport(report: Report, frame: Frame): AnalyticsReport {
  const { linkId, period, previous } = frame;
  const { series } = report;
  const breakdowns = [...report.breakdowns].map(([dimension, breakdown]) => [
    dimension,
    toBreakdown(dimension, breakdown, frame),
  ]);
  return {
    scope: linkId === null ? { type: "account" } : { type: "link", link_id: linkId },
    period: toPeriod(period, period),
    totals: toTotals(report.totals),
    series: period.bucketStartsMs.map((startMs, index) => ({
      start: toTimestamp(startMs),
      ...toTotals(series[index] ?? nothingKnown),
    })),
    breakdowns: Object.fromEntries(breakdowns),
    ...(report.weekHours && { week_hours: Array.from({ length: 7 }, (_, day) => hoursOfDay(report.weekHours, day)) }),
    ...(previous &&
      report.previous && { previous: { period: toPeriod(period, previous), totals: toTotals(report.previous) } }),
  };
}

const toPeriod = ({ timezone, granularity }: Period, { fromMs, toMs }: TimeRange): AnalyticsReport["period"] => ({
  from: toTimestamp(fromMs),
  to: toTimestamp(toMs),
  timezone,
  granularity,
});

const hoursOfDay = (hours: readonly number[] = [], day: number): number[] => hours.slice(day * 24, day * 24 + 24);

const nothingKnown: Totals = { clicks: 0, uniqueVisitors: null, qrScans: 0, botHits: 0 };

const toTotals = ({ clicks, uniqueVisitors, qrScans, botHits }: Totals): AnalyticsReport["totals"] => ({
  clicks,
  unique_visitors: uniqueVisitors,
  qr_scans: qrScans,
  bot_hits: botHits,
});

export interface NamedItem {
  readonly key: string | null;
  readonly clicks: number;
  readonly unique_visitors: number | null;
}

type Names = Pick<Frame, "linkIds" | "ownDomain">;

/** Without links that are just gone, which have no name any more. */
export function nameItems(
  dimension: AccountDimension,
  items: readonly BreakdownItem[],
  { linkIds, ownDomain }: Names,
): NamedItem[] {
  const nameOf = ({ key }: BreakdownItem) => {
    if (dimension === "link") return linkIds.get(Number(key));
    return dimension === "domain" ? (key ?? ownDomain) : key;
  };
  return items.flatMap((item) => {
    const key = nameOf(item);
    return isName(key) ? [{ key, clicks: item.clicks, unique_visitors: item.uniqueVisitors }] : [];
  });
}

function toBreakdown(dimension: AccountDimension, { items, otherClicks }: Breakdown, names: Names) {
  const shown = nameItems(dimension, items, names);
  // A just deleted link may still have clicks for a moment; they count, but without a name.
  const gone = sumOf(items) - sumOf(shown);
  return { items: shown, other_clicks: otherClicks + gone };
}

const sumOf = (items: readonly { readonly clicks: number }[]): number =>
  items.reduce((sum, { clicks }) => sum + clicks, 0);

const isName = (key: string | number | null | undefined): key is string | null =>
  typeof key === "string" || key === null;
