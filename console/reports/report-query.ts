import type { CallInput } from "#console/api/call.ts";
import type { AnalyticsReport, getAccountAnalytics } from "#contract/analytics.ts";
import { DEFAULT_INTERVAL, filtersOf, type ReportSearch } from "./report-search.ts";
import { readTimeZone } from "./time-zone.ts";

/** What a report is about; `null` for the account. */
export type ReportLink = string | null;

export type ReportQuery = NonNullable<CallInput<typeof getAccountAnalytics>["query"]>;

/** What the API is asked for, by what the address says. Equal addresses make equal queries, whatever their order. */
export function toReportQuery(search: ReportSearch): ReportQuery {
  const { from, to, interval = DEFAULT_INTERVAL, granularity, include_bots, timezone = readTimeZone() } = search;
  return {
    ...(from && to ? { from, to } : { interval }),
    timezone,
    ...(granularity && { granularity }),
    ...(include_bots && { include_bots }),
    ...Object.fromEntries(filtersOf(search)),
  };
}

export type Totals = AnalyticsReport["totals"];
export type Period = AnalyticsReport["period"];
export type SeriesPoint = AnalyticsReport["series"][number];
export type Breakdown = NonNullable<AnalyticsReport["breakdowns"][string]>;
export type BreakdownItem = Breakdown["items"][number];
