import type { TimeRange, Totals } from "../../clicks-engine.ts";
import { DAY_MS } from "../../slots.ts";
import { IMPORTED_THAT_COUNT, VISITS_THAT_COUNT } from "../imported.ts";
import { ACCOUNT_LINK_NO } from "../schema.ts";
import { int, type Row } from "../session.ts";
import { COMPACTED_THAT_COUNT } from "../structure.ts";
import { type Conditions, inRange } from "./conditions.ts";

export interface SeriesQuestion extends TimeRange {
  readonly bucketStartsMs: readonly number[];
}

export interface SeriesPlan {
  readonly accountNo: number;
  readonly linkNo: number | null;
  readonly conditions: Conditions;
  /** The clicks that count, as a table expression. */
  readonly clicks: string;
  /** Whether there are counts of others. */
  readonly hasImported: boolean;
  readonly question: SeriesQuestion;
}

/** What a row of the series is about. */
const BUCKET_DAY = 0;
const DAY = 1;
const OLD_BUCKET_DAY = 2;
const OLD_DAY = 3;

/** What every part of a report selects; each uses them as it needs. */
export const REPORT_COLUMNS = ["kind", "start", "day", "name", "n1", "n2", "n3", "n4", "n5"] as const;

export const reportRow = (row: Partial<Record<(typeof REPORT_COLUMNS)[number], string>>): string =>
  REPORT_COLUMNS.map((column) => {
    const value = row[column] ?? (column === "name" ? "''" : "0");
    if (column === "name") return `${value} as name`;
    return `${column.startsWith("n") ? "toFloat64" : "toInt64"}(${value}) as ${column}`;
  }).join(", ");

/**
 * Clicks by bucket and UTC day, and by day alone: a visitor counts once a day, however many buckets share the day.
 * Days stored as counts come with their visitors, which are known for whole days only.
 */
export function seriesSql(plan: SeriesPlan): string {
  const { accountNo, linkNo, conditions, clicks, hasImported, question } = plan;
  const { sql, counted, cut } = conditions;
  const starts = question.bucketStartsMs.map((start) => int(Math.max(0, start))).join(", ");
  const start = starts === "" ? "at_ms * 0" : `roundDown(at_ms, [${starts}])`;
  const where = `${inRange(question)} and ${sql}`;
  const times = `${start} as start_ms, intDiv(at_ms, ${DAY_MS}) as at_day`;
  // QR scans may be in another cut than everything else.
  const importedCounts = `union all
      select ${times}, bot, qr, clicks, ${cut()} as is_count, ${cut("source")} as is_scan from imported_clicks
      where ${where} and ${IMPORTED_THAT_COUNT} and (is_count or is_scan)`;
  const visitorsIn = (table: string, counts: string): string => `
      select day as at_day, clicks, visitors from ${table}
      where account_no = ${int(accountNo)} and link_no = ${int(linkNo ?? ACCOUNT_LINK_NO)}
        and with_bots = ${counted === "true"} and ${counts}
        and day >= ${int(Math.max(0, Math.floor(question.fromMs / DAY_MS)))}
        and day <= ${int(Math.max(0, Math.floor(question.toMs / DAY_MS)))}`;
  return `
    select ${reportRow({
      kind: `if(grouping(start_ms) = 0, ${BUCKET_DAY}, ${DAY})`,
      start: "start_ms",
      day: "at_day",
      n1: `countIf(${counted})`,
      n2: `countIf(${counted} and qr)`,
      n3: "countIf(bot)",
      n4: `uniqExactIf(visitor, ${counted})`,
    })}
    from (
      select ${times}, bot, qr, visitor from ${clicks} where ${where}
    ) group by grouping sets ((start_ms, at_day), (at_day))
    ${hasImported ? `union all ${visitsSql(times, where, counted)}` : ""}
    union all
    select ${reportRow({
      kind: String(OLD_BUCKET_DAY),
      start: "start_ms",
      day: "at_day",
      n1: `sumIf(clicks, is_count and ${counted})`,
      n2: `sumIf(clicks, is_scan and ${counted} and qr)`,
      n3: "sumIf(clicks, is_count and bot)",
    })}
    from (
      select ${times}, bot, qr, clicks, 1 as is_count, 1 as is_scan from compacted_clicks
      where ${where} and ${COMPACTED_THAT_COUNT} ${hasImported ? importedCounts : ""}
    ) group by start_ms, at_day
    union all
    select ${reportRow({ kind: String(OLD_DAY), day: "at_day", n1: "sum(clicks)", n4: "sum(visitors)" })}
    from (
      ${visitorsIn("compacted_visitors", COMPACTED_THAT_COUNT)}
      ${hasImported ? `union all ${visitorsIn("imported_visitors", IMPORTED_THAT_COUNT)}` : ""}
    ) group by at_day`;
}

/** Nobody is both one of these visitors and one of the others, so all are added up. */
const visitsSql = (times: string, where: string, counted: Conditions["counted"]): string => `
    select ${reportRow({
      kind: `if(grouping(start_ms) = 0, ${BUCKET_DAY}, ${DAY})`,
      start: "start_ms",
      day: "at_day",
      n1: `sumIf(clicks, ${counted})`,
      n2: `sumIf(clicks, ${counted} and qr)`,
      n3: "sumIf(clicks, bot)",
      n4: `uniqExactIf(visitor, ${counted})`,
    })}
    from (
      select ${times}, bot, qr, visitor, clicks from imported_visits where ${where} and ${VISITS_THAT_COUNT}
    ) group by grouping sets ((start_ms, at_day), (at_day))`;

export interface Series {
  readonly totals: Totals;
  readonly series: readonly Totals[];
}

type Counts = { -readonly [F in keyof Totals]: Totals[F] };

const noCounts = (): Counts => ({ clicks: 0, uniqueVisitors: 0, qrScans: 0, botHits: 0 });

export function readSeries(rows: readonly Row[], starts: readonly number[], isFiltered: boolean): Series {
  const series = starts.map(noCounts);
  const indexes = new Map(starts.map((start, index) => [Math.max(0, start), index]));
  const totals = noCounts();
  const clicksOfOldDay = new Map<number, number>();
  const visitorsOfDay = new Map<number, { readonly clicks: number; readonly visitors: number }>();
  for (const row of rows) {
    const [kind, start, day, , clicks, qrScans, botHits, visitors] = row.map(Number) as number[];
    if (kind === OLD_DAY) visitorsOfDay.set(day ?? 0, { clicks: clicks ?? 0, visitors: visitors ?? 0 });
    if (kind === DAY) totals.uniqueVisitors = plus(totals.uniqueVisitors, visitors ?? 0);
    if (kind !== BUCKET_DAY && kind !== OLD_BUCKET_DAY) continue;
    const bucket = series[indexes.get(start ?? 0) ?? -1];
    for (const counts of bucket ? [totals, bucket] : [totals]) {
      counts.clicks += clicks ?? 0;
      counts.qrScans += qrScans ?? 0;
      counts.botHits += botHits ?? 0;
    }
    if (bucket && kind === BUCKET_DAY) bucket.uniqueVisitors = plus(bucket.uniqueVisitors, visitors ?? 0);
  }
  /** Known only if these are all clicks of the day. */
  const visitorsOf = (day: number, clicks: number): number | null => {
    if (clicks === 0) return 0;
    const whole = isFiltered ? undefined : visitorsOfDay.get(day);
    return whole?.clicks === clicks ? whole.visitors : null;
  };
  for (const row of rows) {
    const [kind, start, day, , clicks] = row.map(Number) as number[];
    if (kind !== OLD_BUCKET_DAY) continue;
    const bucket = series[indexes.get(start ?? 0) ?? -1];
    if (bucket) bucket.uniqueVisitors = plus(bucket.uniqueVisitors, visitorsOf(day ?? 0, clicks ?? 0));
    clicksOfOldDay.set(day ?? 0, (clicksOfOldDay.get(day ?? 0) ?? 0) + (clicks ?? 0));
  }
  for (const [day, clicks] of clicksOfOldDay)
    totals.uniqueVisitors = plus(totals.uniqueVisitors, visitorsOf(day, clicks));
  return { totals, series };
}

/** Unknown visitors make the sum unknown. */
const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
