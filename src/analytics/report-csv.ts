import type { AnalyticsReport } from "#contract/analytics.ts";
import { toCsv } from "#kernel/csv.ts";
import type { WholeBreakdown } from "./analytics.service.ts";

/** A report's series, with a heading row. */
export function toSeriesCsv({ series }: AnalyticsReport): string {
  const columns = ["start", "clicks", "unique_visitors", "qr_scans", "bot_hits"] as const;
  return toCsv([columns, ...series.map((bucket) => columns.map((name) => bucket[name]))]);
}

/** All items of a breakdown. The heading row comes with the first of them, once it is known that there is an answer. */
export async function* breakdownCsv({ dimension, items }: WholeBreakdown): AsyncGenerator<string> {
  let heading = toCsv([[dimension, "clicks", "unique_visitors"]]);
  for await (const some of items) {
    yield heading + toCsv(some.map(({ key, clicks, unique_visitors }) => [key, clicks, unique_visitors]));
    heading = "";
  }
  if (heading !== "") yield heading;
}

/** Distinguishes several reports in one folder. */
export const csvNameOf = (linkId: string | null, by: string): string => `${linkId ?? "account"}-by-${by}.csv`;
