import type { ClickHouseSettings } from "@clickhouse/client";
import type { AccountDimension } from "#contract/analytics.ts";
import type { Breakdown, Report, ReportRequest } from "../../clicks-engine.ts";
import type { ClickHouseSession, Row } from "../session.ts";
import { clicksThatCount, readStructure, type Structure } from "../structure.ts";
import { breakdownsSql, readBreakdown } from "./breakdown.ts";
import { passesOf } from "./breakdown-keys.ts";
import { clickConditions } from "./conditions.ts";
import { readSeries, type SeriesQuestion, seriesSql } from "./series.ts";
import { readWeekHours, weekHoursSql } from "./week-hours.ts";

// A change of the structure takes milliseconds and is rare, so a second attempt nearly always suffices.
const ATTEMPTS_MAX = 5;

/** Runs a read for which the clicks that count must stay the same, apart from new batches. */
export async function readSteadily<T>(
  session: ClickHouseSession,
  read: (structure: Structure) => Promise<T>,
): Promise<T> {
  let structure = await readStructure(session);
  for (let attempt = 1; ; attempt += 1) {
    const result = await read(structure);
    const now = await readStructure(session);
    if (now.version === structure.version || attempt === ATTEMPTS_MAX) return result;
    structure = now;
  }
}

/** All parts of a statement read the same snapshot, and it ends with its client. */
export const REPORT_SETTINGS = {
  enable_shared_storage_snapshot_in_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // Whatever the server's profile says: a key that a group doesn't have is empty, and `grouping` says so as standard SQL.
  group_by_use_nulls: 0,
  force_grouping_standard_compatibility: 1,
} as const satisfies ClickHouseSettings;

/** The parts of a report, each with a number that its rows start with. */
const SERIES = 0;
const PREVIOUS = 1;
const WEEK_HOURS = 2;
const BREAKDOWNS = 3;

/** Computes a report with one statement: all of it reads the same snapshot of each table. */
export function readReport(session: ClickHouseSession, request: ReportRequest, timeoutMs: number): Promise<Report> {
  return readSteadily(session, async (structure) => {
    const clicks = clicksThatCount(structure);
    const conditions = clickConditions(request);
    const previous: SeriesQuestion | null = request.previous && {
      ...request.previous,
      bucketStartsMs: [request.previous.fromMs],
    };
    const { accountNo, linkNo, limit, breakdownVisitors, fromMs, toMs, weekOffsets: offsets } = request;
    const range = { fromMs, toMs };
    const { hasImported } = structure;
    const basis = { accountNo, linkNo, conditions, clicks, hasImported };
    const parts = [
      { part: SERIES, sql: seriesSql({ ...basis, question: request }) },
      ...(previous ? [{ part: PREVIOUS, sql: seriesSql({ ...basis, question: previous }) }] : []),
      ...(offsets
        ? [{ part: WEEK_HOURS, sql: weekHoursSql({ conditions, clicks, hasImported, range, offsets }) }]
        : []),
      ...passesOf(request.groupBy.map((dimension, no) => ({ dimension, no }))).map((pass) => ({
        part: BREAKDOWNS,
        sql: breakdownsSql({ ...basis, range, limit, withVisitors: breakdownVisitors }, pass),
      })),
    ];
    const rows = await session.rows(
      parts.map(({ part, sql }) => `select ${part} as part, * from (${sql})`).join(" union all "),
      {
        values: conditions.values,
        settings: REPORT_SETTINGS,
        timeoutMs,
      },
    );
    const rowsOf = (part: number): readonly Row[] => rows.filter((row) => row[0] === part).map((row) => row.slice(1));
    const breakdowns = Map.groupBy(rowsOf(BREAKDOWNS), ([no]) => Number(no));
    const { totals, series } = readSeries(rowsOf(SERIES), request.bucketStartsMs, conditions.isFiltered);
    return {
      totals,
      series,
      breakdowns: new Map(
        request.groupBy.map((dimension, no): [AccountDimension, Breakdown] => [
          dimension,
          readBreakdown(breakdowns.get(no) ?? [], dimension, breakdownVisitors),
        ]),
      ),
      previous: previous && readSeries(rowsOf(PREVIOUS), previous.bucketStartsMs, conditions.isFiltered).totals,
      ...(offsets && { weekHours: readWeekHours(rowsOf(WEEK_HOURS)) }),
    };
  });
}
