import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import type { ClickCount } from "#engines/clicks/click-counts.ts";
import {
  type ClicksEngine,
  ClicksUnavailable,
  ForeignClicks,
  type ReportRequest,
} from "#engines/clicks/clicks-engine.ts";
import { copyFileAside } from "#engines/clicks/copy-file-aside.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import { anyMoment } from "./clicks.counts.arbitraries.ts";
import { clicksOfBatch, SEGMENT } from "./clicks.ingest-loop.ts";
import { partOf, type TestClick } from "./clicks.oracle.ts";
import { clicksConformance } from "./clicks.suite.ts";

clicksConformance("DuckDB", ({ directory }) =>
  openDuckDbClicks({
    path: join(directory, CLICKS_FILE),
    batchDirectory: directory,
    summaryClicksMin: 2,
    rowsAtOnce: 100,
  }),
);

const DAY_MS = 86_400_000;
const KILLS = 12;

describe("clicks in a DuckDB file", () => {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "kurz-duckdb-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  interface Opening {
    readonly reportsMax?: number;
    readonly reportTimeoutMs?: number;
    readonly checkpointMb?: number;
    readonly directory?: string;
    readonly installation?: string;
  }

  const open = (options: Opening = {}) =>
    openDuckDbClicks({
      path: join(options.directory ?? directory, CLICKS_FILE),
      batchDirectory: options.directory ?? directory,
      checkpointMb: 1,
      checkpointRows: 3000,
      ...options,
    });

  const week: ReportRequest = {
    accountNo: 1,
    linkNo: null,
    fromMs: FIRST_MS,
    toMs: FIRST_MS + 7 * DAY_MS,
    bucketStartsMs: [FIRST_MS],
    filters: {},
    includeBots: true,
    groupBy: [],
    limit: 10,
    breakdownVisitors: true,
    previous: null,
  };

  test("whenever the process is killed, each batch is stored with its checkpoint, once or not at all", async () => {
    let reached = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "clicks.ingest-loop.ts"), directory], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const seen = await lastNumberBefore(child, kill);
      child.kill("SIGKILL");
      await child.exited;

      const engine = open();
      const offset = await engine.checkpoint(SEGMENT);
      expect(offset).toBeGreaterThanOrEqual(Math.max(seen, reached));
      reached = offset;
      const expected = Array.from({ length: offset }, (_, index) => clicksOfBatch(index + 1));
      expect((await engine.stats()).rows).toBe(expected.reduce((sum, clicks) => sum + clicks, 0));
      await engine.close();
    }
    expect(reached).toBeGreaterThan(KILLS);
  });

  test("imported as counts go to the file as they arrive: what is in the log is in memory, too", async () => {
    const engine = open({ checkpointMb: 64 });
    const [count] = fc.sample(anyMoment, { numRuns: 60, seed: 5 }).flatMap(toClickCounts);
    const counts = Array<ClickCount>(1000).fill(count as ClickCount);
    const store = (no: number) => engine.storeCounts({ accountNo: 1, importId: "i", no, counts, visitors: [] });
    await store(1);
    const { walBytes: ofOne } = await engine.stats();
    for (let no = 2; no <= 20; no += 1) await store(no);
    expect((await engine.stats()).walBytes).toBeLessThan(4 * ofOne);
    await engine.close();
  });

  test("belong to the first installation that claims the file, even after a rewrite; others are refused", async () => {
    const older = open();
    await older.stats();
    await older.close();
    const own = open({ installation: "a" });
    await own.eraseLinks([{ accountNo: 1, linkNo: 1 }]);
    await own.reclaim();
    await own.close();
    const foreign = open({ installation: "b" });
    await expect(foreign.report(week)).rejects.toBeInstanceOf(ForeignClicks);
    await expect(foreign.stats()).rejects.toThrow("another installation");
    await foreign.close();
    for (const engine of [open({ installation: "a" }), open()]) {
      expect((await engine.stats()).rows).toBe(0);
      await engine.close();
    }
  });

  test("are safe on a full disk: the engine reports it and continues once there is space", async () => {
    await withSmallDisk(16, async (disk) => {
      const engine = open({ directory: disk.path });
      const clicks = fc.sample(anyClick, { numRuns: 400, seed: 1 });
      const repeated = repeat(clicks, 20);
      let offset = 0;
      const ingestNext = () => engine.ingest({ parts: [partOf(repeated, SEGMENT, offset + 1)] });
      for (; offset < 2; offset += 1) await ingestNext();

      /** A checkpoint of the log may free space for one more batch, so the disk is filled again. */
      const ingestUntilRefused = async (): Promise<unknown> => {
        for (let tries = 0; tries < 20; tries += 1) {
          disk.fill();
          const problem = await ingestNext().then(
            () => (offset += 1),
            (error: unknown) => error,
          );
          if (problem instanceof Error) return problem;
        }
        return null;
      };
      expect(await ingestUntilRefused()).toBeInstanceOf(ClicksUnavailable);
      offset = await engine.checkpoint(SEGMENT);
      expect(await ingestUntilRefused()).toBeInstanceOf(ClicksUnavailable);

      disk.free();
      // Only the checkpoint knows whether the failed batch was stored.
      offset = await engine.checkpoint(SEGMENT);
      await ingestNext();
      offset += 1;
      const { totals } = await engine.report(week);
      const ofAccount = repeated.filter(({ account_no }) => account_no === 1).length;
      expect(totals.clicks).toBe(ofAccount * offset);
      expect((await engine.stats()).rows).toBe(8000 * offset);
      await engine.close();
    });
  });

  test("a report that takes too long is cancelled, and the next one works", async () => {
    const engine = open({ reportTimeoutMs: 1 });
    const clicks = repeat(fc.sample(anyClick, { numRuns: 500, seed: 2 }), 200);
    await engine.ingest({ parts: [partOf(clicks, SEGMENT, 1)] });
    const long: ReportRequest = { ...week, groupBy: ["country", "browser", "link"], previous: week };
    await expect(engine.report(long)).rejects.toThrow("took too long");
    await engine.close();
    const patient = open();
    expect((await patient.report(long)).totals.clicks).toBeGreaterThan(0);
    await patient.close();
  });

  test("while reports use every slot, statistics and compaction still work", async () => {
    const engine = open({ reportsMax: 0, reportTimeoutMs: 1 });
    await engine.ingest({ parts: [partOf(fc.sample(anyClick, { numRuns: 40, seed: 7 }), SEGMENT, 1)] });
    await expect(engine.report(week)).rejects.toThrow("queued");
    expect(await engine.stats()).toMatchObject({ rows: 40, compactedClicks: 0 });
    await engine.compact(week.toMs);
    expect(await engine.stats()).toMatchObject({ rows: 0, compactedClicks: 40 });
    await engine.close();
  });

  const filesHold = (text: string): boolean =>
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.startsWith("clicks"))
      .map((name) => join(directory, name))
      .some((path) => lstatSync(path).isFile() && readFileSync(path).includes(text));

  /** Two accounts with interleaved clicks and tags; only the second will be erased. */
  const twoAccounts = fc.sample(anyClick, { numRuns: 400, seed: 11 }).map((click, index) => {
    const account_no = 1 + (index % 2);
    return { ...click, account_no, utm_campaign: `of-account-${account_no}` };
  });

  async function ingestTwoAccounts(engine: ClicksEngine): Promise<number> {
    await engine.ingest({ parts: [partOf(twoAccounts, SEGMENT, 1)] });
    await engine.setLinkTags(
      [1, 2].map((accountNo) => ({ accountNo, linkNo: 1, tags: [`tag-of-account-${accountNo}`] })),
      1,
    );
    return twoAccounts.length / 2;
  }

  test("erased data is in no file after reclaiming, and everything else is unchanged", async () => {
    const engine = open();
    const clicks = await ingestTwoAccounts(engine);
    const campaigns: ReportRequest = { ...week, groupBy: ["utm_campaign", "tag"] };
    const before = await engine.report(campaigns);
    await engine.eraseAccount(2);
    await engine.reclaim();
    expect(await engine.report(campaigns)).toEqual(before);
    expect(await engine.stats()).toMatchObject({ rows: clicks, walBytes: 0 });
    // Checkpoints and erasures survive: a known batch counts once, and clicks of an erased account don't count.
    expect(await engine.ingest({ parts: [partOf(twoAccounts, SEGMENT, 1)] })).toEqual({ clicks: 0 });
    expect(await engine.ingest({ parts: [partOf(twoAccounts, SEGMENT, 2)] })).toEqual({ clicks });
    expect(await engine.report(campaigns)).not.toEqual(before);
    // The late clicks brought their texts along.
    await engine.reclaim();
    await engine.close();
    expect(filesHold("of-account-1")).toBe(true);
    expect(filesHold("of-account-2")).toBe(false);
    expect(readdirSync(directory)).toEqual([CLICKS_FILE]);
  });

  test("what a killed process left for the engine to read is removed when the file is opened", async () => {
    const left = ["batch.tsv", "referrers.tsv"].map((name) => join(directory, name));
    for (const path of left) writeFileSync(path, "of-account-2");
    const engine = open();
    await engine.stats();
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    await engine.close();
  });

  test("reports, statistics and ingestion work while the disk is reclaimed", async () => {
    const engine = open();
    await ingestTwoAccounts(engine);
    await engine.eraseLinks([{ accountNo: 2, linkNo: 1 }]);
    const reclaimed = engine.reclaim();
    const asked = await Promise.all([
      engine.report(week),
      engine.stats(),
      engine.ingest({ parts: [partOf(twoAccounts, "later", 1)] }),
      engine.report(week),
      reclaimed,
    ]);
    expect(asked[2].clicks).toBeGreaterThan(0);
    expect(await engine.checkpoint("later")).toBe(1);
    await engine.close();
  });

  test("an engine that is closed while reclaiming keeps its file, and can try again", async () => {
    const engine = open();
    const clicks = await ingestTwoAccounts(engine);
    await engine.eraseAccount(2);
    const reclaimed = engine.reclaim().then(
      () => null,
      (error: unknown) => error,
    );
    await engine.close();
    expect(await reclaimed).toSatisfy((problem) => problem === null || problem instanceof ClicksUnavailable);
    const next = open();
    expect((await next.stats()).rows).toBe(clicks);
    await next.reclaim();
    await next.close();
    expect(filesHold("of-account-2")).toBe(false);
  });

  test("an engine first opened on a full disk works as soon as there is space", async () => {
    await withSmallDisk(8, async (disk) => {
      const engine = open({ directory: disk.path });
      disk.fill();
      await expect(engine.stats()).rejects.toThrow(ClicksUnavailable);
      disk.free();
      expect((await engine.stats()).rows).toBe(0);
      await engine.close();
    });
  });

  test("a second process can't open the file, even after a copy was made", async () => {
    const engine = open();
    await engine.exportWith((file) => copyFileAside(file, join(directory, "copy")));
    const probe = `
      const { openDuckDbClicks } = await import("#engines/clicks/duckdb/duckdb-clicks.ts");
      await openDuckDbClicks({ path: process.argv[1], batchDirectory: "/tmp" }).stats().then(
        () => process.exit(0), (error) => { console.error(error.message); process.exit(7); });`;
    const child = Bun.spawn([process.execPath, "-e", probe, join(directory, CLICKS_FILE)], {
      cwd: join(import.meta.dir, "..", ".."),
      stderr: "pipe",
    });
    expect(await new Response(child.stderr).text()).toContain("lock");
    expect(await child.exited).toBe(7);
    await engine.close();
  });

  test("the event loop keeps running while a report is computed", async () => {
    const engine = open();
    const clicks = repeat(fc.sample(anyClick, { numRuns: 500, seed: 2 }), 400);
    await engine.ingest({ parts: [partOf(clicks, SEGMENT, 1)] });
    let iterations = 0;
    const timer = setInterval(() => (iterations += 1), 1);
    await engine.report({ ...week, groupBy: ["country", "browser", "os", "link"] });
    clearInterval(timer);
    expect(iterations).toBeGreaterThan(10);
    await engine.close();
  });
});

const repeat = (clicks: readonly TestClick[], times: number): TestClick[] =>
  Array.from({ length: times }, () => clicks).flat();

/** Reads a number of lines that differs from kill to kill, and returns the last one. */
async function lastNumberBefore(child: { readonly stdout: ReadableStream<Uint8Array> }, kill: number): Promise<number> {
  const lines = 1 + ((kill * 7) % 11);
  let text = "";
  for await (const bytes of child.stdout) {
    text += new TextDecoder().decode(bytes);
    if (text.split("\n").length > lines) break;
  }
  return Number(text.trimEnd().split("\n").at(-1));
}
