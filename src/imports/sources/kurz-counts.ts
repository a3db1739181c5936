import { toClickCount, toDayVisitors } from "#account-export/archived-counts.ts";
import type { ArchivedCount, ArchivedVisitors } from "#contract/account-archive.ts";
import type { ImportItem } from "#imports/import-source.ts";

/** `null` for what is before the time from which counts are wanted. */
export function toExportedCounts(
  record: ArchivedCount | ArchivedVisitors,
  countsFrom: number | null,
): ImportItem | null {
  const { link: sourceId } = record;
  if ("day" in record) {
    if (isBefore(Date.parse(record.day), countsFrom)) return null;
    const { linkNo: _, ...ofDay } = toDayVisitors(record, 0);
    return { type: "visitors", visitors: { ...ofDay, sourceId } };
  }
  const { link_no: _, domain: __, ...count } = toClickCount(record, { no: 0, domain: "" });
  if (isBefore(count.at_ms, countsFrom)) return null;
  return { type: "exported", counts: { ...count, sourceId: record.link } };
}

const isBefore = (at: number, from: number | null): boolean => from !== null && at < from;
