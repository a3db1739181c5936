import type { TimeRange, Totals } from "../../clicks-engine.ts";
import { SLOT_MS } from "../../slots.ts";
import { ACCOUNT_LINK_NO } from "../schema.ts";
import { int, intList, type Row } from "../session.ts";
import type { Conditions } from "./conditions.ts";
import { type DayPiece, findDayPieces } from "./days.ts";
import { slotsTable } from "./slots-table.ts";

export interface SeriesPlan {
  readonly accountNo: number;
  readonly linkNo: number | null;
  readonly conditions: Conditions;
  /** The part of the range with clicks. */
  readonly span: TimeRange;
  readonly bucketStartsMs: readonly number[];
  /** UTC days entirely inside the range that have a summary. */
  readonly summarisedDays: readonly number[];
  /** Ranges to read click by click; may overlap summarised days. */
  readonly rawRanges: readonly TimeRange[];
  /** Whether the range includes clicks stored as counts. */
  readonly hasCompacted: boolean;
  /** Whether it includes imported counts, without visitors and with them. */
  readonly hasImported: boolean;
  readonly hasVisits: boolean;
}

/** The bucket number of the row with the whole range's visitors. */
const WHOLE = -1;

/** One statement for totals and series: a row per non-empty bucket, and one for the whole range. */
export function seriesSql(plan: SeriesPlan, { isLarge }: { readonly isLarge: boolean }): string {
  const days = isLarge ? findDayPieces(plan) : null;
  const parts = [
    days ? dayParts(plan, days) : rawParts(plan),
    ...(plan.summarisedDays.length > 0 ? [summaryParts(plan)] : []),
    ...(plan.hasCompacted || plan.hasImported ? [countParts(plan)] : []),
    ...(plan.hasVisits ? [visitParts(plan)] : []),
  ];
  return `
    with ${[slotsTable(plan.bucketStartsMs, plan.span), ...parts.flatMap(({ tables }) => tables)].join(",")}
    select bucket::integer, sum(clicks)::double, sum(qr_scans)::double, sum(bot_hits)::double, sum(visitors)::double,
      bool_or(unknown)
    from (${parts.flatMap(({ rows }) => rows).join(" union all ")})
      part (bucket, clicks, qr_scans, bot_hits, visitors, unknown)
    group by bucket`;
}

/** `rows` have the columns bucket, clicks, qr_scans, bot_hits, visitors, unknown. */
interface Parts {
  readonly tables: readonly string[];
  readonly rows: readonly string[];
}

// `count_if` takes a quarter less time than a filtered `count(*)`, which gathers the rows that pass.
const countsOf = (counted: Conditions["counted"]): string =>
  `count_if(${counted}) as clicks, count_if(${counted} and qr) as qr_scans, count_if(bot) as bot_hits`;

const inRange = ({ fromMs, toMs }: TimeRange): string => `at_ms >= ${int(fromMs)} and at_ms < ${int(toMs)}`;

function rawParts({ conditions, rawRanges, summarisedDays }: SeriesPlan): Parts {
  const { sql, counted } = conditions;
  const read = (columns: string, condition: string) =>
    rawRanges
      .map((range) => `select ${columns} from clicks where ${inRange(range)} and ${sql} and ${condition}`)
      .join(" union all ");
  if (rawRanges.length === 0) return { tables: [], rows: [] };
  return {
    tables: [
      `raw_slots as (select * from slots where day not in (select unnest(${intList(summarisedDays)})))`,
      `raw_counts as (
        select slot, ${countsOf(counted)}
        from (${read(`at_ms // ${SLOT_MS} as slot, bot, qr`, "true")}) group by slot
      )`,
      `raw_visits as (
        select day, seen, count(*) as visitors from (
          select min(day) as day, visitor, bit_or(bit) as seen
          from (${read(`at_ms // ${SLOT_MS} as slot, visitor`, `${counted} and visitor is not null`)})
          join raw_slots using (slot) group by visitor
        ) group by day, seen
      )`,
    ],
    rows: [
      `select bucket, clicks, qr_scans, bot_hits, 0 as visitors, false as unknown from raw_counts join raw_slots using (slot)`,
      `select bucket, 0, 0, 0, visitors, false
        from raw_visits join (select distinct day, bucket, bit from raw_slots) using (day) where seen & bit <> 0`,
      `select ${WHOLE}, 0, 0, 0, visitors, false from raw_visits`,
    ],
  };
}

/** Counts day by day: each day's visitors fit into the processor's cache, which halves the time. */
function dayParts({ conditions: { sql, counted } }: SeriesPlan, days: readonly DayPiece[]): Parts {
  if (days.length === 0) return { tables: [], rows: [] };
  const counts = days.map(
    ({ bucket, ...range }) => `
      select ${bucket} as bucket, ${countsOf(counted)}
      from clicks where ${inRange(range)} and ${sql}`,
  );
  const visits = days.map(
    ({ bucket, ...range }) => `
      select ${bucket} as bucket, count(*) as visitors from (
        select distinct visitor from clicks where ${inRange(range)} and ${sql} and ${counted} and visitor is not null
      )`,
  );
  return {
    tables: [`day_visits as materialized (${visits.join(" union all ")})`],
    rows: [
      `select bucket, clicks, qr_scans, bot_hits, 0 as visitors, false as unknown from (${counts.join(" union all ")})`,
      "select bucket, 0, 0, 0, visitors, false from day_visits",
      `select ${WHOLE}, 0, 0, 0, visitors, false from day_visits`,
    ],
  };
}

function summaryParts({ accountNo, linkNo, summarisedDays }: SeriesPlan): Parts {
  return {
    tables: [
      `summary as (
        select bucket, bucket_slot, previous_slot, clicks, qr_scans, bot_hits, visitors
        from summaries join slots using (slot)
        where account_no = ${int(accountNo)} and link_no = ${int(linkNo ?? ACCOUNT_LINK_NO)}
          and day in (select unnest(${intList(summarisedDays)}))
      )`,
    ],
    rows: [
      `select bucket, clicks, qr_scans, bot_hits,
        case when previous_slot is null or previous_slot < bucket_slot then visitors else 0 end, false from summary`,
      `select ${WHOLE}, 0, 0, 0, visitors, false from summary where previous_slot is null`,
    ],
  };
}

/** The slots that begin in a range. */
const inSlots = ({ fromMs, toMs }: TimeRange): string =>
  `slot >= ${int(Math.ceil(fromMs / SLOT_MS))} and slot < ${int(Math.ceil(toMs / SLOT_MS))}`;

/** Compacted and imported counts. A day's visitors are known only if the bucket contains all of its clicks, unfiltered. */
function countParts({ accountNo, linkNo, conditions, span, hasCompacted, hasImported }: SeriesPlan): Parts {
  const { sql, counted, isFiltered, cut } = conditions;
  // QR scans may be in another cut than everything else.
  const counts = [
    ...(hasCompacted
      ? [
          `select slot, bot, qr, clicks, true as counts, true as scans from compacted_clicks where ${inSlots(span)} and ${sql}`,
        ]
      : []),
    ...(hasImported
      ? [
          `select slot, bot, qr, clicks, ${cut()} as counts, ${cut("source")} as scans from imported_clicks
          where ${inSlots(span)} and ${sql} and (${cut()} or ${cut("source")})`,
        ]
      : []),
  ];
  const visitorsIn = (table: string): string => `
    select day, clicks, visitors from ${table}
    where account_no = ${int(accountNo)} and link_no = ${int(linkNo ?? ACCOUNT_LINK_NO)}
      and with_bots = ${counted === "true"}`;
  const days = `
    select day, sum(clicks) as clicks, sum(visitors) as visitors
    from (${visitorsIn("compacted_visitors")} union all ${visitorsIn("imported_visitors")}) group by day`;
  const visitors = (bucket: string) => `
    select bucket, 0, 0, 0, case when c.clicks = d.clicks then d.visitors else 0 end, c.clicks is distinct from d.clicks
    from (select ${bucket} as bucket, day, sum(clicks) as clicks from counted group by all) c
    left join (${isFiltered ? `${days} having false` : days}) d using (day) where c.clicks > 0`;
  return {
    tables: [
      `counted as (
        select bucket, day, coalesce(sum(clicks) filter (counts and ${counted}), 0) as clicks,
          coalesce(sum(clicks) filter (scans and ${counted} and qr), 0) as qr_scans,
          coalesce(sum(clicks) filter (counts and bot), 0) as bot_hits
        from (${counts.join(" union all ")}) join slots using (slot) group by bucket, day
      )`,
    ],
    rows: [
      "select bucket, clicks, qr_scans, bot_hits, 0, false from counted",
      visitors("bucket"),
      visitors(String(WHOLE)),
    ],
  };
}

/** Imported counts by visitor. Nobody is both one of these visitors and one of `clicks`, so both are added up. */
function visitParts({ conditions: { sql, counted }, span }: SeriesPlan): Parts {
  const rows = `from imported_visits join slots using (slot) where ${inSlots(span)} and ${sql}`;
  return {
    tables: [
      `imported_seen as (
        select day, seen, count(*) as visitors from (
          select min(day) as day, visitor, bit_or(bit) as seen
          ${rows} and ${counted} and visitor is not null group by visitor
        ) group by day, seen
      )`,
    ],
    rows: [
      `select bucket, coalesce(sum(clicks) filter (${counted}), 0) as clicks,
        coalesce(sum(clicks) filter (${counted} and qr), 0) as qr_scans,
        coalesce(sum(clicks) filter (bot), 0) as bot_hits, 0 as visitors, false as unknown
      ${rows} group by bucket`,
      `select bucket, 0, 0, 0, visitors, false
        from imported_seen join (select distinct day, bucket, bit from slots) using (day) where seen & bit <> 0`,
      `select ${WHOLE}, 0, 0, 0, visitors, false from imported_seen`,
    ],
  };
}

export interface Series {
  readonly totals: Totals;
  readonly series: readonly Totals[];
}

const nothing: Totals = { clicks: 0, uniqueVisitors: 0, qrScans: 0, botHits: 0 };

export const emptySeries = (buckets: number): Series => ({
  totals: nothing,
  series: Array.from({ length: buckets }, () => nothing),
});

export function readSeries(rows: readonly Row[], buckets: number): Series {
  const series: Totals[] = [...emptySeries(buckets).series];
  const totals = { ...nothing };
  for (const [bucket, ...cells] of rows) {
    const [clicks, qrScans, botHits, visitors] = cells.map(Number) as [number, number, number, number];
    const uniqueVisitors = cells[4] ? null : visitors;
    if (bucket === WHOLE) totals.uniqueVisitors = uniqueVisitors;
    else {
      series[Number(bucket)] = { clicks, uniqueVisitors, qrScans, botHits };
      totals.clicks += clicks;
      totals.qrScans += qrScans;
      totals.botHits += botHits;
    }
  }
  return { totals, series };
}
