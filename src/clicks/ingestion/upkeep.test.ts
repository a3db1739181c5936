import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClicksEngine, ClicksUnavailable } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { clickPart } from "#test/support/click-slices.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { until } from "#test/support/until.ts";
import type { Steadiness, SteadyClock } from "./steady-clock.ts";
import { startUpkeep } from "./upkeep.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 17, 0, 4);

let directory: string;
let file: string;
let clicks: ClicksEngine;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-upkeep-"));
  file = join(directory, "clicks.duckdb");
  clicks = openDuckDbClicks({ path: file, batchDirectory: directory });
});
afterEach(async () => {
  await clicks.close();
  rmSync(directory, { recursive: true });
});

async function ingest(daysAgo: readonly number[]): Promise<void> {
  const made = daysAgo.map((days) => ({ ...plainClick, at_ms: NOW - days * DAY_MS, account_no: 1, link_no: 1 }));
  await clicks.ingest({ parts: [clickPart(made, "a", 1)] });
}

const trusted: SteadyClock = { look: () => "steady" };
const options = { retentionDays: 30, clock: () => NOW, steadyClock: trusted, firstMs: 1, intervalMs: 5 };
const never = (message: string, error: unknown) => {
  throw new Error(`${message}: ${error}`);
};

test("clicks beyond their time become counts; ended days are prepared, but not one that may still get clicks", async () => {
  await ingest([0.5, 29, 31.5, 40]);
  const prepared: number[] = [];
  const engine = {
    compact: clicks.compact,
    reclaim: clicks.reclaim,
    summarise(beforeMs: number) {
      prepared.push(beforeMs);
      return clicks.summarise(beforeMs);
    },
  };
  const upkeep = startUpkeep({ ...options, clicks: engine, file, onProblem: never });
  await until("old clicks are counts", async () => (await clicks.stats()).compactedClicks === 2);
  await until("days were prepared", () => prepared.length > 1);
  await upkeep.stop();
  expect((await clicks.stats()).rows).toBe(2);
  // Four minutes into a day, the day before is left alone.
  expect(new Date(prepared[0] ?? 0).toISOString().slice(0, 10)).toBe("2026-05-16");
});

test("once a day the disk is freed of what was erased", async () => {
  await ingest([1, 2]);
  let now = NOW;
  let turns = 0;
  const reclaimed: number[] = [];
  const engine = {
    async compact() {
      turns += 1;
    },
    async summarise() {},
    async reclaim() {
      reclaimed.push(now);
    },
  };
  const upkeep = startUpkeep({ ...options, clock: () => now, clicks: engine, file, onProblem: never });
  await until("some turns are over", () => turns > 3);
  expect(reclaimed).toEqual([NOW]);
  now += DAY_MS;
  await until("it is done again", () => reclaimed.length > 1);
  await upkeep.stop();
  expect(reclaimed).toEqual([NOW, NOW + DAY_MS]);
});

test("a failure is told and tried again", async () => {
  await ingest([40]);
  const problems: string[] = [];
  const engine: Pick<ClicksEngine, "compact" | "summarise" | "reclaim"> = {
    compact: (beforeMs) =>
      problems.length < 2 ? Promise.reject(new ClicksUnavailable("no room")) : clicks.compact(beforeMs),
    summarise: clicks.summarise,
    reclaim: clicks.reclaim,
  };
  const onProblem = (message: string) => void problems.push(message);
  const upkeep = startUpkeep({ ...options, clicks: engine, file, onProblem });
  await until("old clicks are counts", async () => (await clicks.stats()).compactedClicks === 1);
  await upkeep.stop();
  expect(problems.length).toBeGreaterThanOrEqual(2);
});

test("an engine that was never used is left alone", async () => {
  let turns = 0;
  const clock = () => {
    turns += 1;
    return NOW;
  };
  const upkeep = startUpkeep({ ...options, firstMs: 0, clicks, file, clock, onProblem: never });
  await upkeep.stop();
  expect([turns, await Bun.file(file).exists()]).toEqual([0, false]);
});

test("after a jump of the clock no day is taken for old or over, and while it is new none for old", async () => {
  await ingest([40]);
  let looks = 0;
  let summaries = 0;
  let steadiness: Steadiness = "jumped";
  const steadyClock = {
    look() {
      looks += 1;
      return steadiness;
    },
  };
  const engine = {
    compact: clicks.compact,
    reclaim: clicks.reclaim,
    summarise(beforeMs: number) {
      summaries += 1;
      return clicks.summarise(beforeMs);
    },
  };
  const upkeep = startUpkeep({ ...options, steadyClock, clicks: engine, file, onProblem: never });
  await until("some turns are over", () => looks > 3);
  expect(summaries).toBe(0);
  steadiness = "new";
  await until("days are summarised", () => summaries > 3);
  expect(await clicks.stats()).toMatchObject({ rows: 1, compactedClicks: 0 });
  steadiness = "steady";
  await until("the old click is a count", async () => (await clicks.stats()).compactedClicks === 1);
  await upkeep.stop();
});
