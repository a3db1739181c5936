import type { CallInput } from "#console/api/call.ts";
import type { AnalyticsReport, getAccountAnalytics } from "#contract/analytics.ts";
import { toReportRange } from "./named-ranges.ts";
import { chosenRange } from "./range-words.ts";
import { filtersOf, type ReportSearch } from "./report-search.ts";
import { readTimeZone, zoneOf } from "./time-zone.ts";

/** What a report is about; `null` for the account. */
export type ReportLink = string | null;

export type ReportQuery = NonNullable<CallInput<typeof getAccountAnalytics>["query"]>;

/**
 * What the API is asked for, by what the address says. Equal addresses make equal queries on one day, whatever their
 * order. Texts that mean nothing are passed on as well, so that it is the API that says what is wrong with them.
 */
export function toReportQuery(search: ReportSearch, nowMs = Date.now()): ReportQuery {
  const { granularity, include_bots, timezone = readTimeZone() } = search;
  const name = chosenRange(search);
  const { interval, from, to } = name ? toReportRange(name, zoneOf(search), nowMs) : search;
  const texts = { interval, from, to, timezone, granularity, include_bots };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return Object.fromEntries([...given, ...filtersOf(search)]) as ReportQuery;
}

/** What a report shows. */
export type ReportData = Omit<AnalyticsReport, "scope" | "previous">;

export type Totals = AnalyticsReport["totals"];
export type Period = AnalyticsReport["period"];
export type SeriesPoint = AnalyticsReport["series"][number];
export type Breakdown = NonNullable<AnalyticsReport["breakdowns"][string]>;
export type BreakdownItem = Breakdown["items"][number];
