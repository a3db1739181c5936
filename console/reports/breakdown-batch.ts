import type { AccountDimension, AnalyticsReport } from "#contract/analytics.ts";
import { askReport, type ReportSubject } from "./ask-report.ts";
import type { Breakdown, ReportQuery } from "./report-query.ts";

interface Batch {
  readonly dimensions: Set<AccountDimension>;
  readonly report: Promise<AnalyticsReport>;
}

const waiting = new Map<string, Batch>();

/**
 * The cards of a page ask at the same moment; one request for all of them is answered sooner than one for each,
 * because the server then goes through the clicks once.
 */
export async function askBreakdown(
  subject: ReportSubject,
  query: ReportQuery,
  dimension: AccountDimension,
): Promise<Breakdown> {
  const key = JSON.stringify([subject, query]);
  const batch = waiting.get(key) ?? openBatch(key, (group_by) => askReport(subject, { ...query, group_by }));
  batch.dimensions.add(dimension);
  const { breakdowns } = await batch.report;
  return breakdowns[dimension] ?? { items: [], other_clicks: 0 };
}

function openBatch(key: string, ask: (dimensions: AccountDimension[]) => Promise<AnalyticsReport>): Batch {
  const dimensions = new Set<AccountDimension>();
  const report = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
    waiting.delete(key);
    return ask([...dimensions]);
  });
  const batch = { dimensions, report };
  waiting.set(key, batch);
  return batch;
}
