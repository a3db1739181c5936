import { send } from "#console/api/call.ts";
import { type AnalyticsReport, getAccountAnalytics, getLinkAnalytics } from "#contract/analytics.ts";
import type { ReportLink, ReportQuery } from "./report-query.ts";

/** Whose report it is. */
export interface ReportSubject {
  readonly accountId: string;
  readonly link: ReportLink;
}

export async function askReport(
  subject: ReportSubject,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<AnalyticsReport> {
  return (await sendReport(subject, query, signal)).json();
}

export async function askReportCsv(subject: ReportSubject, query: ReportQuery): Promise<Blob> {
  return (await sendReport(subject, { ...query, format: "csv" })).blob();
}

function sendReport({ accountId, link }: ReportSubject, query: ReportQuery, signal?: AbortSignal): Promise<Response> {
  const given = signal && { signal };
  if (link === null) return send(getAccountAnalytics, { query, ...given }, accountId);
  // A link's report knows no links, tags or domains, and its cards ask for none.
  const { link: _, tag: __, domain: ___, group_by = [], ...rest } = query;
  const groups = group_by.filter((name) => name !== "link" && name !== "tag" && name !== "domain");
  return send(getLinkAnalytics, { params: { id: link }, query: { ...rest, group_by: groups }, ...given }, accountId);
}
