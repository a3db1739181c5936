import type { AnalyticsReport } from "#contract/analytics.ts";
import { toCsv } from "./csv.ts";

/** A report's only breakdown, or its series if it has none, with a heading row. */
export function toReportCsv({ series, breakdowns }: AnalyticsReport): string {
  const [breakdown] = Object.entries(breakdowns);
  if (!breakdown) {
    const columns = ["start", "clicks", "unique_visitors", "qr_scans", "bot_hits"] as const;
    return toCsv([columns, ...series.map((bucket) => columns.map((name) => bucket[name]))]);
  }
  const [dimension, { items }] = breakdown;
  const rows = items.map(({ key, clicks, unique_visitors }) => [key, clicks, unique_visitors]);
  return toCsv([[dimension, "clicks", "unique_visitors"], ...rows]);
}

/** Distinguishes several reports in one folder. */
export function csvNameOf({ scope, period, breakdowns }: AnalyticsReport): string {
  const [dimension = period.granularity] = Object.keys(breakdowns);
  return `${scope.type === "link" ? scope.link_id : "account"}-by-${dimension}.csv`;
}
