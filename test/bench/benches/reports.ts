import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { findBucketStarts } from "#analytics/bucket-starts.ts";
import type { AccountDimension } from "#contract/analytics.ts";
import type { ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import { bareScans, openBareDuckDb, openBareSqlite } from "../bare-report.ts";
import { ACCOUNT_NO, END_MS, LINK_NO, type PreparedClicks, prepareClicks, START_MS } from "../data/prepared-clicks.ts";
import { interleave } from "../interleave.ts";
import { millis, type Row } from "../report.ts";
import type { Stage } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const SIZES = { full: [1_000_000, 20_000_000], quick: [100_000, 1_000_000] };
const ROUNDS = { full: 4, quick: 3 };
const LINK_MS_MAX = 300;
const ACCOUNT_MS_MAX = 1000;
const BARE_TIMES_MAX = 1.5;
// Below this, query planning dominates rather than reading clicks.
const QUICK_MS = 50;
const SIX: readonly AccountDimension[] = ["country", "referrer", "device", "browser", "os", "utm_campaign"];

interface Question {
  readonly name: string;
  readonly linkNo: number | null;
  readonly groupBy: readonly AccountDimension[];
  readonly msMax?: number;
}

const questions: readonly Question[] = [
  { name: "link with a twentieth of them", linkNo: LINK_NO, groupBy: [], msMax: LINK_MS_MAX },
  { name: "account", linkNo: null, groupBy: [], msMax: ACCOUNT_MS_MAX },
  { name: "account by six dimensions", linkNo: null, groupBy: SIX },
];

export const reports: Bench = {
  name: "reports",
  about: "the default report of a link and an account compared to the bare scans it needs, in DuckDB and in SQLite",
  async run(stage) {
    const [fewer = 0, more = 0] = stage.isQuick ? SIZES.quick : SIZES.full;
    // Breakdowns read every click and scale with their number, so they are measured with the smaller one.
    const few = await measureSize(stage, fewer, questions);
    const many = await measureSize(
      stage,
      more,
      questions.filter(({ groupBy }) => groupBy.length === 0),
    );
    const growth = questions.slice(0, 2).map(
      ({ name }, index): Row => ({
        name: `growth from ${millions(fewer)} to ${millions(more)}: ${name}`,
        ours: millis(many.ms[index] ?? Number.NaN),
        baseline: millis(few.ms[index] ?? Number.NaN),
        ratio: (many.ms[index] ?? Number.NaN) / (few.ms[index] ?? Number.NaN),
      }),
    );
    return [...few.rows, ...many.rows, ...growth];
  },
};

interface Measured {
  readonly rows: readonly Row[];
  /** For each query. */
  readonly ms: readonly number[];
}

async function measureSize(stage: Stage, clicks: number, asked: readonly Question[]): Promise<Measured> {
  const data = await prepareClicks(clicks, (text) => stage.say(text));
  const engine = openDuckDbClicks({ path: data.summarised, batchDirectory: tmpdir() });
  const unsummarised = openDuckDbClicks({ path: data.raw, batchDirectory: tmpdir() });
  const bare = await openBareDuckDb(data.plain);
  const rows = openBareSqlite(data.rows);
  const size = millions(clicks);
  const table: Row[] = [bytesRow(data, size)];
  const ms: number[] = [];
  try {
    for (const { name, linkNo, groupBy, msMax } of asked) {
      stage.say(`${name}, ${size}`);
      const request = requestOf(linkNo, groupBy);
      const timed = await interleave(stage.isQuick ? ROUNDS.quick : ROUNDS.full, {
        ours: () => timeOf(() => engine.report(request)),
        before: () => timeOf(() => unsummarised.report(request)),
        bare: () => timeOf(() => bare.run(bareScans(linkNo, groupBy))),
      });
      const compare = (label: string, ours: readonly number[]): Row => {
        const ratio = medianRatio(ours, timed.bare);
        return {
          name: `${label}, ${size}`,
          ours: millis(median(ours)),
          baseline: `DuckDB ${millis(median(timed.bare))}`,
          ratio,
          target: `≤ ${BARE_TIMES_MAX} × or ≤ ${QUICK_MS} ms${msMax === undefined ? "" : `; ≤ ${msMax / 1000} s`}`,
          isOk:
            (ratio <= BARE_TIMES_MAX || median(ours) <= QUICK_MS) &&
            median(ours) <= (msMax ?? Number.POSITIVE_INFINITY),
        };
      };
      table.push(compare(name, timed.ours), compare("  days not yet summarised", timed.before));
      ms.push(median(timed.ours));
      if (groupBy.length > 0) continue;
      // Only once, since it may take a minute.
      const sqlite = await timeOf(async () => rows.run(linkNo));
      table.push({
        name: `  from rows in SQLite, ${size}`,
        ours: millis(median(timed.ours)),
        baseline: `SQLite ${millis(sqlite)}`,
        ratio: median(timed.ours) / sqlite,
      });
    }
  } finally {
    rows.close();
    bare.close();
    await Promise.all([engine.close(), unsummarised.close()]);
  }
  return { rows: table, ms };
}

function requestOf(linkNo: number | null, groupBy: readonly AccountDimension[]): ReportRequest {
  const zone = findTimeZone("UTC");
  if (!zone) throw new Error("there is no UTC");
  const range = { fromMs: START_MS, toMs: END_MS };
  return {
    ...range,
    accountNo: ACCOUNT_NO,
    linkNo,
    bucketStartsMs: findBucketStarts(zone, "day", { ...range, most: 100 }) ?? [],
    filters: {},
    includeBots: false,
    groupBy,
    limit: 10,
    breakdownVisitors: true,
    previous: null,
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const bytesRow = ({ raw, rows, clicks }: PreparedClicks, size: string): Row => {
  const [ours, theirs] = [statSync(raw).size, statSync(rows).size].map((bytes) => bytes / clicks) as [number, number];
  return {
    name: `bytes per click on disk, ${size}`,
    ours: `${ours.toFixed(1)} B`,
    baseline: `SQLite ${theirs.toFixed(1)} B`,
    ratio: ours / theirs,
  };
};

const millions = (clicks: number): string => `${clicks / 1e6} M clicks`;
