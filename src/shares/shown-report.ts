import type { AnalyticsReport } from "#contract/analytics.ts";
import type { SharedReport, SharedReportQuery } from "#contract/share-page.ts";

type Breakdown = AnalyticsReport["breakdowns"][string];

/** Without values of too few visitors: their clicks are among the others. */
export function shownReport(
  { scope: _, previous: __, breakdowns, ...report }: AnalyticsReport,
  minVisitors: number,
  { breakdown_visitors }: Pick<SharedReportQuery, "breakdown_visitors">,
): SharedReport {
  const shown = Object.entries(breakdowns).map(([dimension, breakdown]) => {
    const { items, other_clicks } = withoutRare(breakdown, minVisitors);
    return [
      dimension,
      { items: breakdown_visitors ? items : items.map((item) => ({ ...item, unique_visitors: null })), other_clicks },
    ];
  });
  return { ...report, breakdowns: Object.fromEntries(shown) };
}

/** Where visitors can't be told, there may have been too few. */
function withoutRare({ items, other_clicks }: Breakdown, minVisitors: number): Breakdown {
  if (minVisitors <= 1) return { items, other_clicks };
  const shown = items.filter(({ unique_visitors }) => (unique_visitors ?? 0) >= minVisitors);
  const sumOf = (some: Breakdown["items"]): number => some.reduce((sum, { clicks }) => sum + clicks, 0);
  return { items: shown, other_clicks: other_clicks + sumOf(items) - sumOf(shown) };
}
