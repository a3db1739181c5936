import { type AnalyticsReport, getAccountAnalytics, getLinkAnalytics } from "#contract/analytics.ts";
import { TextResult, TextStream } from "#contract/endpoint.ts";
import { type Route, route } from "#http/route.ts";
import type { AnalyticsService, WholeBreakdown } from "./analytics.service.ts";
import { breakdownCsv, csvNameOf, toSeriesCsv } from "./report-csv.ts";

export const analyticsRoutes = (analytics: AnalyticsService): readonly Route[] => [
  route(
    getLinkAnalytics,
    (caller, { params: { id }, query }) =>
      inFormat(query, {
        report: () => analytics.ofLink(caller, id, query),
        breakdown: () => analytics.wholeBreakdownOfLink(caller, id, query),
      }),
    { checkQuery: analytics.findProblems },
  ),
  route(
    getAccountAnalytics,
    (caller, { query }) =>
      inFormat(query, {
        report: () => analytics.ofAccount(caller, query),
        breakdown: () => analytics.wholeBreakdownOfAccount(caller, query),
      }),
    { checkQuery: analytics.findProblems },
  ),
];

interface Asked {
  readonly format: "json" | "csv";
  readonly group_by: readonly string[];
}

interface Answers {
  readonly report: () => Promise<AnalyticsReport>;
  readonly breakdown: () => Promise<WholeBreakdown>;
}

async function inFormat({ format, group_by }: Asked, { report, breakdown }: Answers) {
  if (format === "json") return report();
  if (group_by.length > 0) {
    const whole = await breakdown();
    const fileName = csvNameOf(whole.linkId, whole.dimension);
    return new TextStream({ mediaType: "text/csv", fileName, parts: breakdownCsv(whole) });
  }
  const found = await report();
  const { scope, period } = found;
  const fileName = csvNameOf(scope.type === "link" ? scope.link_id : null, period.granularity);
  return new TextResult({ mediaType: "text/csv", fileName, text: toSeriesCsv(found) });
}
