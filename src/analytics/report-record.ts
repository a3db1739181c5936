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

function toBreakdown(
  dimension: AccountDimension,
  { items, otherClicks }: Breakdown,
  { linkIds, ownDomain }: Pick<Frame, "linkIds" | "ownDomain">,
) {
  const nameOf = ({ key }: BreakdownItem) => {
    if (dimension === "link") return linkIds.get(Number(key));
    return dimension === "domain" ? (key ?? ownDomain) : key;
  };
  const named = items.map((item) => ({ item, key: nameOf(item) }));
  const shown = named.filter((entry): entry is { item: BreakdownItem; key: string | null } => isName(entry.key));
  // A just deleted link may still have clicks for a moment; they count, but without a name.
  const gone = named.filter(({ key }) => !isName(key)).reduce((sum, { item }) => sum + item.clicks, 0);
  return {
    items: shown.map(({ item, key }) => ({ key, clicks: item.clicks, unique_visitors: item.uniqueVisitors })),
    other_clicks: otherClicks + gone,
  };
}

const isName = (key: string | number | null | undefined): key is string | null =>
  typeof key === "string" || key === null;
