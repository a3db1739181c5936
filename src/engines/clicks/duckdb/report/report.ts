import type { AccountDimension } from "#contract/analytics.ts";
import type { Breakdown, BreakdownItem, Report, ReportRequest, TimeRange, UtcOffset } from "../../clicks-engine.ts";
import { toWeekHours } from "../../week-hours.ts";
import type { Snapshot } from "../access.ts";
import {
  type BreakdownPlan,
  countedLinkVisitorsSql,
  rawRows,
  readTopKeys,
  type TopKey,
  type TopKeys,
  topKeysQueries,
  visitRows,
} from "./breakdown.ts";
import { type Conditions, clickConditions } from "./conditions.ts";
import { cutByDays, type Extent, findExtent, overlap, planSeries, rowsIn } from "./plan.ts";
import { emptySeries, readSeries, type Series, seriesSql } from "./series.ts";
import { groupKeys, type KeyGroup, visitorsSql } from "./visitors.ts";
import { weekHoursSql } from "./week-hours.ts";

// Below this, a second thread costs more than it saves.
const ROWS_ALONE_MAX = 1_000_000;

export interface ReportOptions {
  /** About how many clicks to count visitors of at a time, to limit memory. */
  readonly rowsAtOnce: number;
}

interface Basis extends ReportOptions {
  readonly conditions: Conditions;
  readonly extent: Extent;
}

/** Computes a report from one snapshot. */
export async function readReport(
  snapshot: Snapshot,
  request: ReportRequest,
  { rowsAtOnce }: ReportOptions,
): Promise<Report> {
  const basis = { conditions: clickConditions(request), extent: await findExtent(snapshot), rowsAtOnce };
  const { totals, series } = await readRange(snapshot, request, { ...basis, question: request });
  const breakdowns = await readBreakdowns(snapshot, request, basis);
  const weekHours = request.weekOffsets && (await readWeekHours(snapshot, request, request.weekOffsets, basis));
  const report = { totals, series, breakdowns, ...(weekHours && { weekHours }) };
  if (!request.previous) return { ...report, previous: null };
  const question = { ...request.previous, bucketStartsMs: [request.previous.fromMs] };
  const previous = await readRange(snapshot, request, { ...basis, question });
  return { ...report, previous: previous.totals };
}

async function readWeekHours(
  snapshot: Snapshot,
  request: ReportRequest,
  offsets: readonly UtcOffset[],
  basis: Basis,
): Promise<readonly number[]> {
  const plan = await planSeries(snapshot, request, { ...basis, question: request });
  const rows = plan ? await snapshot.rows(weekHoursSql(plan, offsets), plan.conditions.values) : [];
  return toWeekHours(rows.map(([hour, clicks]): [number, number] => [Number(hour), Number(clicks)]));
}

async function readRange(
  snapshot: Snapshot,
  request: ReportRequest,
  basis: Basis & { readonly question: TimeRange & { readonly bucketStartsMs: readonly number[] } },
): Promise<Series> {
  const buckets = basis.question.bucketStartsMs.length;
  const plan = await planSeries(snapshot, request, basis);
  if (!plan) return emptySeries(buckets);
  const rows = rowsIn(basis.extent, plan.rawRanges);
  if (rows > ROWS_ALONE_MAX) await snapshot.addThreads();
  // A link's visitors are few enough to be counted at once.
  const isLarge = rows > basis.rowsAtOnce / 2 && request.linkNo === null;
  const sql = seriesSql(plan, { isLarge });
  return readSeries(await snapshot.rows(sql, plan.conditions.values), buckets);
}

async function readBreakdowns(
  snapshot: Snapshot,
  request: ReportRequest,
  { conditions, extent, rowsAtOnce }: Basis,
): Promise<ReadonlyMap<AccountDimension, Breakdown>> {
  const { accountNo, limit, groupBy, breakdownVisitors } = request;
  const raw = overlap(request, extent.raw);
  const compacted = overlap(request, extent.compacted);
  const imported = overlap(request, extent.imported);
  const visits = overlap(request, extent.visits);
  if (!raw && !compacted && !imported && !visits)
    return new Map(groupBy.map((dimension) => [dimension, { items: [], otherClicks: 0 }]));
  if (raw && rowsIn(extent, [raw]) > ROWS_ALONE_MAX) await snapshot.addThreads();

  const plan: BreakdownPlan = { accountNo, limit, conditions, raw, compacted, imported, visits };
  const tops = await readTops(snapshot, plan, groupBy);
  const visitorsOf = breakdownVisitors ? await readVisitors(snapshot, plan, tops, rowsAtOnce) : () => null;
  return new Map(
    [...tops].map(([dimension, { keys, total }]) => {
      const items = keys.map(
        (top): BreakdownItem => ({ key: top.key, clicks: top.clicks, uniqueVisitors: visitorsOf(dimension, top) }),
      );
      const shown = items.reduce((sum, { clicks }) => sum + clicks, 0);
      return [dimension, { items, otherClicks: total - shown }];
    }),
  );
}

/** In the order of `groupBy`. */
async function readTops(
  snapshot: Snapshot,
  plan: BreakdownPlan,
  groupBy: readonly AccountDimension[],
): Promise<ReadonlyMap<AccountDimension, TopKeys>> {
  const tops = new Map<AccountDimension, TopKeys>(groupBy.map((dimension) => [dimension, { keys: [], total: 0 }]));
  for (const { dimensions, sql } of topKeysQueries(plan, groupBy)) {
    const rows = Map.groupBy(await snapshot.rows(sql, plan.conditions.values), ([index]) => Number(index));
    for (const [index, dimension] of dimensions.entries()) tops.set(dimension, readTopKeys(rows.get(index) ?? []));
  }
  return tops;
}

type VisitorsOf = (dimension: AccountDimension, top: TopKey) => number | null;

/** The visitors of each key, if known. */
async function readVisitors(
  snapshot: Snapshot,
  plan: BreakdownPlan,
  tops: ReadonlyMap<AccountDimension, TopKeys>,
  rowsAtOnce: number,
): Promise<VisitorsOf> {
  const groups = [...tops].flatMap(([dimension, { keys }]) => groupKeys(dimension, keys));
  const clicks = Math.max(0, ...[...tops.values()].map(({ total }) => total));
  const parts = [
    ...(plan.raw ? cutByDays(plan.raw, clicks, rowsAtOnce).map((range) => rawRows(plan, range)) : []),
    ...(plan.visits ? cutByDays(plan.visits, clicks, rowsAtOnce).map((range) => visitRows(plan, range)) : []),
  ];
  const visitors = await countVisitors(snapshot, plan, parts, groups);
  const older = await readCountedLinks(snapshot, plan, tops.get("link")?.keys ?? []);
  return (dimension, { key, hasCompacted }) => {
    const seen = visitors.get(nameOf(dimension, key)) ?? 0;
    if (!hasCompacted) return seen;
    const before = dimension === "link" ? (older.get(Number(key)) ?? null) : null;
    return before === null ? null : seen + before;
  };
}

/** By dimension and key. Visitors are counted per day, so processing a few days at a time limits memory. */
async function countVisitors(
  snapshot: Snapshot,
  plan: BreakdownPlan,
  parts: readonly string[],
  groups: readonly KeyGroup[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (groups.length === 0) return counts;
  for (const rows of parts) {
    const { sql, values } = visitorsSql(plan, rows, groups);
    for (const [index, keyIndex, visitors] of await snapshot.rows(sql, values)) {
      const group = groups[Number(index)];
      const found = group?.keys[Number(keyIndex)];
      if (!group || !found) continue;
      const name = nameOf(group.dimension, found.key);
      counts.set(name, (counts.get(name) ?? 0) + Number(visitors));
    }
  }
  return counts;
}

// Distinguishes the text "null" from a missing key.
const nameOf = (dimension: AccountDimension, key: TopKey["key"]): string => `${dimension} ${JSON.stringify(key)}`;

/** `null` if unknown. */
async function readCountedLinks(
  snapshot: Snapshot,
  plan: BreakdownPlan,
  keys: readonly TopKey[],
): Promise<ReadonlyMap<number, number | null>> {
  if ((!plan.compacted && !plan.imported) || plan.conditions.isFiltered || keys.length === 0) return new Map();
  const links = keys.map(({ key }) => Number(key));
  const rows = await snapshot.rows(countedLinkVisitorsSql(plan, links));
  return new Map(rows.map(([link, visitors, unknown]) => [Number(link), unknown ? null : Number(visitors)]));
}
