import { type AnalyticsReport, getAccountAnalytics, getLinkAnalytics } from "#contract/analytics.ts";
import { TextResult } from "#contract/endpoint.ts";
import { type Route, route } from "#http/route.ts";
import type { AnalyticsService } from "./analytics.service.ts";
import { csvNameOf, toReportCsv } from "./report-csv.ts";

export const analyticsRoutes = (analytics: AnalyticsService): readonly Route[] => [
  route(
    getLinkAnalytics,
    async (caller, { params, query }) => inFormat(query.format, await analytics.ofLink(caller, params.id, query)),
    { checkQuery: analytics.findProblems },
  ),
  route(
    getAccountAnalytics,
    async (caller, { query }) => inFormat(query.format, await analytics.ofAccount(caller, query)),
    { checkQuery: analytics.findProblems },
  ),
];

const inFormat = (format: "json" | "csv", report: AnalyticsReport) =>
  format === "csv"
    ? new TextResult({ mediaType: "text/csv", fileName: csvNameOf(report), text: toReportCsv(report) })
    : report;
