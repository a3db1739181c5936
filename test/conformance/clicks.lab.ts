import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import { accountDimensions } from "#contract/analytics.ts";
import { type ClickCount, ONLY_CUT } from "#engines/clicks/click-counts.ts";
import { clickTexts } from "#engines/clicks/click-format.ts";
import type { ClicksEngine, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { FIRST_MS } from "./clicks.arbitraries.ts";
import {
  ClicksOracle,
  partOf,
  type TestClick,
  type TestDayVisitors,
  type TestMoment,
  type TestVisit,
  tagKey,
} from "./clicks.oracle.ts";

export const DAY_MS = 86_400_000;

export const wholeWeek: ReportRequest = {
  accountNo: 1,
  linkNo: null,
  fromMs: FIRST_MS,
  toMs: FIRST_MS + 7 * DAY_MS,
  bucketStartsMs: Array.from({ length: 7 }, (_, day) => FIRST_MS + day * DAY_MS),
  filters: {},
  includeBots: false,
  groupBy: [...accountDimensions],
  limit: 3,
  breakdownVisitors: true,
  previous: null,
};

/** For tests of which clicks count, whatever they are grouped by: each dimension costs a server as much as a report. */
export const plainWeek: ReportRequest = { ...wholeWeek, groupBy: ["link", "country"] };

/** How many random cases a test tries. Each makes several reports after each step; `RUNS=100` tries as many cases. */
export const casesOf = (few: number, most = Number.POSITIVE_INFINITY): number =>
  Number(process.env.RUNS ?? Math.min(few, most));

export interface ClicksOpening {
  /** A directory for the engine and its batches. */
  readonly directory: string;
}

export interface TestImport {
  readonly moments: readonly TestMoment[];
  readonly visits: readonly TestVisit[];
  readonly dayVisitors: readonly TestDayVisitors[];
}

export const toVisitCount = ({ account_no: _, ...visit }: TestVisit): ClickCount =>
  ({
    ...visit,
    ...Object.fromEntries(clickTexts.map((name) => [name, visit[name] ?? ""])),
    ...{ has_hour: true, cut: ONLY_CUT },
  }) as ClickCount;

/** An engine in its own directory, and an oracle with the same clicks. */
export function clicksLab(open: (opening: ClicksOpening) => ClicksEngine) {
  let directory = "";
  let engine: ClicksEngine;
  let oracle: ClicksOracle;
  let offset = 0;
  let imports = 0;

  async function start(): Promise<void> {
    directory = mkdtempSync(join(tmpdir(), "kurz-clicks-"));
    engine = open({ directory });
    oracle = new ClicksOracle();
    offset = 0;
  }

  async function stop(): Promise<void> {
    await engine.close();
    rmSync(directory, { recursive: true });
  }

  async function reopen(): Promise<void> {
    await engine.close();
    engine = open({ directory });
  }

  async function ingest(clicks: readonly TestClick[], segment = "node-0-1-0"): Promise<number> {
    offset += 1 + clicks.length;
    const { clicks: stored } = await engine.ingest({ parts: [partOf(clicks, segment, offset)] });
    oracle.clicks.push(...clicks);
    return stored;
  }

  async function importCounts({ moments, visits, dayVisitors }: TestImport): Promise<void> {
    for (const accountNo of [1, 2]) {
      imports += 1;
      await engine.storeCounts({
        ...{ accountNo, importId: `import-${imports}`, no: 1 },
        counts: [
          ...moments.filter((moment) => moment.accountNo === accountNo).flatMap(toClickCounts),
          ...visits.filter(({ account_no }) => account_no === accountNo).map(toVisitCount),
        ],
        visitors: dayVisitors.filter((of) => of.accountNo === accountNo),
      });
    }
    oracle.moments.push(...moments);
    oracle.visits.push(...visits);
    oracle.dayVisitors.push(...dayVisitors);
  }

  async function tag(linkNo: number, tags: readonly string[], position: number): Promise<void> {
    await engine.setLinkTags([{ accountNo: 1, linkNo, tags }], position);
    oracle.tags.set(tagKey(1, linkNo), tags);
  }

  const expectSame = async (request: ReportRequest): Promise<void> => {
    expect(await engine.report(request)).toEqual(oracle.report(request));
  };

  /** Runs each case on a new engine. */
  const each = async (work: () => Promise<void>): Promise<void> => {
    await stop();
    await start();
    await work();
  };

  return {
    get directory() {
      return directory;
    },
    get engine() {
      return engine;
    },
    get oracle() {
      return oracle;
    },
    open,
    start,
    stop,
    reopen,
    each,
    ingest,
    importCounts,
    tag,
    expectSame,
  };
}
export type ClicksLab = ReturnType<typeof clicksLab>;
