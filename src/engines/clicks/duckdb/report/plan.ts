import type { ReportRequest, TimeRange } from "../../clicks-engine.ts";
import { DAY_MS, SLOT_MS } from "../../slots.ts";
import { ACCOUNT_LINK_NO } from "../schema.ts";
import { int, type Session } from "../session.ts";
import type { Conditions } from "./conditions.ts";
import type { SeriesPlan } from "./series.ts";

/** What a snapshot contains. */
export interface Extent {
  readonly rows: number;
  /** From the first click to just after the last one; `null` if there are none. */
  readonly raw: TimeRange | null;
  readonly compacted: TimeRange | null;
  /** Imported counts, without visitors and with them. */
  readonly imported: TimeRange | null;
  readonly visits: TimeRange | null;
}

export async function findExtent(session: Session): Promise<Extent> {
  const [row] = await session.rows(`
    select c.*, s.*, i.*, v.* from
      (select count(*)::double, min(at_ms)::double, max(at_ms)::double from clicks) c,
      (select min(slot)::double, max(slot)::double from compacted_clicks) s,
      (select min(slot)::double, max(slot)::double from imported_clicks) i,
      (select min(slot)::double, max(slot)::double from imported_visits) v`);
  const [rows, first, last, ...slots] = (row ?? []).map((cell) => (cell === null ? null : Number(cell)));
  const range = (from: number | null | undefined, to: number | null | undefined, unit: number) =>
    typeof from === "number" && typeof to === "number" ? { fromMs: from * unit, toMs: (to + 1) * unit } : null;
  const [compacted = null, imported = null, visits = null] = [0, 2, 4].map((at) =>
    range(slots[at], slots[at + 1], SLOT_MS),
  );
  return { rows: rows ?? 0, raw: range(first, last, 1), compacted, imported, visits };
}

export function overlap(a: TimeRange, b: TimeRange | null): TimeRange | null {
  if (!b) return null;
  const [fromMs, toMs] = [Math.max(a.fromMs, b.fromMs), Math.min(a.toMs, b.toMs)];
  return fromMs < toMs ? { fromMs, toMs } : null;
}

interface Question extends TimeRange {
  readonly bucketStartsMs: readonly number[];
}

/** How to query one range; `null` if it has no clicks. */
export async function planSeries(
  session: Session,
  { accountNo, linkNo, includeBots }: Pick<ReportRequest, "accountNo" | "linkNo" | "includeBots">,
  { conditions, extent, question }: { conditions: Conditions; extent: Extent; question: Question },
): Promise<SeriesPlan | null> {
  const raw = overlap(question, extent.raw);
  const compacted = overlap(question, extent.compacted);
  const imported = overlap(question, extent.imported);
  const visits = overlap(question, extent.visits);
  const span = [raw, compacted, imported, visits].reduce(union);
  if (!span) return null;
  // Summaries don't count bots as visitors, and can't be filtered.
  const summarisedDays =
    conditions.isFiltered || includeBots ? [] : await findSummarisedDays(session, { accountNo, linkNo }, question);
  return {
    accountNo,
    linkNo,
    conditions,
    span,
    bucketStartsMs: question.bucketStartsMs,
    summarisedDays,
    rawRanges: raw ? rangesWithout(summarisedDays, raw) : [],
    hasCompacted: compacted !== null,
    hasImported: imported !== null,
    hasVisits: visits !== null,
  };
}

async function findSummarisedDays(
  session: Session,
  { accountNo, linkNo }: Pick<ReportRequest, "accountNo" | "linkNo">,
  { fromMs, toMs }: TimeRange,
): Promise<number[]> {
  const rows = await session.rows(`
    select day::double as day from summarised
    where account_no = ${int(accountNo)} and link_no = ${int(linkNo ?? ACCOUNT_LINK_NO)}
      and day >= ${int(Math.ceil(fromMs / DAY_MS))} and day < ${int(Math.floor(toMs / DAY_MS))} order by day`);
  return rows.map(([day]) => Number(day));
}

const union = (a: TimeRange | null, b: TimeRange | null): TimeRange | null =>
  a && b ? { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) } : (a ?? b);

const RAW_RANGES_MAX = 8;

/** A range minus some whole days, in ascending order; coarser if there would be too many pieces. */
function rangesWithout(days: readonly number[], range: TimeRange): readonly TimeRange[] {
  const ranges: TimeRange[] = [];
  let fromMs = range.fromMs;
  for (const day of days) {
    ranges.push({ fromMs, toMs: Math.min(day * DAY_MS, range.toMs) });
    fromMs = Math.max(fromMs, (day + 1) * DAY_MS);
  }
  const left = [...ranges, { fromMs, toMs: range.toMs }].filter(({ fromMs, toMs }) => fromMs < toMs);
  const [first, last] = [left[0], left.at(-1)];
  return first && last && left.length > RAW_RANGES_MAX ? [{ fromMs: first.fromMs, toMs: last.toMs }] : left;
}

/** Estimates the clicks in some ranges, including those of other accounts. */
export function rowsIn({ rows, raw }: Extent, ranges: readonly TimeRange[]): number {
  if (!raw) return 0;
  const read = ranges.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return (rows * read) / (raw.toMs - raw.fromMs);
}

/** Splits a range into equal parts of whole UTC days with about `most` clicks each. */
export function cutByDays(range: TimeRange, clicks: number, most: number): readonly TimeRange[] {
  const parts = Math.ceil(clicks / most);
  if (parts <= 1) return [range];
  const days = Math.max(1, Math.floor((range.toMs - range.fromMs) / DAY_MS / parts));
  const cut: TimeRange[] = [];
  for (let { fromMs } = range; fromMs < range.toMs; ) {
    const toMs = Math.min((Math.floor(fromMs / DAY_MS) + days) * DAY_MS, range.toMs);
    cut.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return cut;
}
