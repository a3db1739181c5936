import type { AccountDimension } from "#contract/analytics.ts";
import type { Breakdown, ReportData, ReportQuery } from "./report-query.ts";
import type { ReportSource } from "./report-source.ts";

interface Batch {
  readonly dimensions: Set<AccountDimension>;
  readonly report: Promise<ReportData>;
}

const waiting = new Map<string, Batch>();

/**
 * The cards of a page ask at the same moment; one request for all of them is answered sooner than one for each,
 * because the server then goes through the clicks once.
 */
export async function askBreakdown(
  source: ReportSource,
  query: ReportQuery,
  dimension: AccountDimension,
): Promise<Breakdown> {
  const key = JSON.stringify([source.key, query]);
  const batch = waiting.get(key) ?? openBatch(key, (group_by) => source.ask({ ...query, group_by }));
  batch.dimensions.add(dimension);
  const { breakdowns } = await batch.report;
  return breakdowns[dimension] ?? { items: [], other_clicks: 0 };
}

function openBatch(key: string, ask: (dimensions: AccountDimension[]) => Promise<ReportData>): Batch {
  const dimensions = new Set<AccountDimension>();
  const report = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
    waiting.delete(key);
    return ask([...dimensions]);
  });
  const batch = { dimensions, report };
  waiting.set(key, batch);
  return batch;
}
