import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { accountDimensions } from "#contract/analytics.ts";
import type { ClicksEngine, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { copyFileAside } from "#engines/clicks/copy-file-aside.ts";
import { anyClick, anyRequest, FIRST_MS } from "./clicks.arbitraries.ts";
import { ClicksOracle, clickLine, type TestClick, tagKey } from "./clicks.oracle.ts";

const DAY_MS = 86_400_000;

export interface ClicksOpening {
  /** A directory that is the engine's own and that batches may lie in. */
  readonly directory: string;
}

/** What every clicks engine promises, whichever answers it. */
export function clicksConformance(name: string, open: (opening: ClicksOpening) => ClicksEngine): void {
  let directory = "";
  let engine: ClicksEngine;
  let oracle: ClicksOracle;
  let offset = 0;

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

  function batchFile(clicks: readonly TestClick[]): string {
    const file = join(directory, "batch.tsv");
    writeFileSync(file, clicks.map((click) => `${clickLine(click)}\n`).join(""));
    return file;
  }

  async function ingest(clicks: readonly TestClick[], segment = "node-0-1-0"): Promise<number> {
    offset += 1 + clicks.length;
    const { clicks: stored } = await engine.ingest({ file: batchFile(clicks), checkpoints: [{ segment, offset }] });
    oracle.clicks.push(...clicks);
    return stored;
  }

  async function tag(linkNo: number, tags: readonly string[], position: number): Promise<void> {
    await engine.setLinkTags([{ accountNo: 1, linkNo, tags }], position);
    oracle.tags.set(tagKey(1, linkNo), tags);
  }

  const expectSame = async (request: ReportRequest): Promise<void> => {
    expect(await engine.report(request)).toEqual(oracle.report(request));
  };

  const wholeWeek: ReportRequest = {
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

  describe(`clicks on ${name}`, () => {
    beforeEach(start);
    afterEach(stop);

    /** Runs each case on an engine of its own. */
    const each = async (work: () => Promise<void>): Promise<void> => {
      await stop();
      await start();
      await work();
    };

    test("any report over any clicks is what a plain count gives, with and without summaries", async () => {
      const anyWeek = fc.record({
        batches: fc.array(fc.array(anyClick, { minLength: 20, maxLength: 120, size: "max" }), {
          minLength: 1,
          maxLength: 3,
        }),
        late: fc.array(anyClick, { maxLength: 3 }),
        summariseDays: fc.noBias(fc.integer({ min: 0, max: 9 })),
        tags: fc.array(fc.uniqueArray(fc.constantFrom("spring", "sale", "b2b"), { maxLength: 3 }), { maxLength: 4 }),
        erase: fc.option(fc.integer({ min: 1, max: 4 })),
        requests: fc.array(anyRequest({ aligned: false }), { minLength: 4, maxLength: 8 }),
      });
      await fc.assert(
        fc.asyncProperty(anyWeek, ({ batches, late, summariseDays, tags, erase, requests }) =>
          each(async () => {
            for (const batch of batches) await ingest(batch);
            for (const [index, names] of tags.entries()) await tag(index + 1, names, index);
            for (const request of requests.slice(0, 1)) await expectSame(request);
            await engine.summarise(FIRST_MS + summariseDays * DAY_MS);
            for (const request of requests.slice(0, 3)) await expectSame(request);
            await ingest(late);
            if (erase !== null) {
              await engine.eraseLinks([{ accountNo: 1, linkNo: erase }]);
              oracle.eraseLink({ accountNo: 1, linkNo: erase });
            }
            for (const request of requests) await expectSame(request);
            await engine.summarise(FIRST_MS + summariseDays * DAY_MS);
            await reopen();
            for (const request of requests) await expectSame(request);
          }),
        ),
        { numRuns: 12, endOnFailure: true },
      );
    }, 120_000);

    test("a report over counts is the report over clicks, but for visitors that nobody can tell any more", async () => {
      const anyWeek = fc.record({
        clicks: fc.array(anyClick, { minLength: 50, maxLength: 250, size: "max" }),
        compactDays: fc.noBias(fc.integer({ min: 0, max: 8 })),
        tags: fc.uniqueArray(fc.constantFrom("spring", "sale"), { maxLength: 2 }),
        erase: fc.option(fc.constant(4)),
        requests: fc.array(anyRequest({ aligned: true }), { minLength: 4, maxLength: 8 }),
      });
      await fc.assert(
        fc.asyncProperty(anyWeek, ({ clicks, compactDays, tags, erase, requests }) =>
          each(async () => {
            await ingest(clicks);
            await tag(1, tags, 0);
            await engine.summarise(FIRST_MS + 7 * DAY_MS);
            if (erase !== null) {
              await engine.eraseLinks([{ accountNo: 1, linkNo: erase }]);
              oracle.eraseLink({ accountNo: 1, linkNo: erase });
            }
            await engine.compact(FIRST_MS + compactDays * DAY_MS + 12_345);
            oracle.compactedUntilDay = Math.floor(FIRST_MS / DAY_MS) + compactDays;
            for (const request of requests) await expectSame(request);
            await expectSame(wholeWeek);
            const { rows, compactedClicks } = await engine.stats();
            expect(rows + compactedClicks).toBe(oracle.clicks.length);
          }),
        ),
        { numRuns: 12, endOnFailure: true },
      );
    }, 120_000);

    test("the invariants of a report hold", async () => {
      await ingest(fc.sample(anyClick, { numRuns: 1000, seed: 7 }));
      await fc.assert(
        fc.asyncProperty(anyRequest({ aligned: false }), async (request) => {
          const { totals, series, breakdowns } = await engine.report(request);
          expect(series.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(totals.clicks);
          for (const [dimension, { items, otherClicks }] of breakdowns) {
            const sum = items.reduce((total, { clicks }) => total + clicks, otherClicks);
            if (dimension !== "tag") expect(sum).toBe(totals.clicks);
          }
          if (request.linkNo !== null) return;
          const links = await Promise.all([1, 2, 3, 4].map((linkNo) => engine.report({ ...request, linkNo })));
          for (const field of ["clicks", "qrScans", "botHits"] as const) {
            expect(links.reduce((sum, report) => sum + report.totals[field], 0)).toBe(totals[field]);
          }
          const flipped = await engine.report({ ...request, includeBots: !request.includeBots });
          expect(flipped.totals.botHits).toBe(totals.botHits);
          expect(Math.abs(flipped.totals.clicks - totals.clicks)).toBe(totals.botHits);
        }),
        { numRuns: 40, endOnFailure: true },
      );
    }, 60_000);

    test("a batch counts once, however often it comes", async () => {
      const file = batchFile(fc.sample(anyClick, { numRuns: 50, seed: 3 }));
      const checkpoints = [
        { segment: "a", offset: 100 },
        { segment: "b", offset: 7 },
      ];
      expect(await engine.ingest({ file, checkpoints })).toEqual({ clicks: 50 });
      expect(await engine.ingest({ file, checkpoints })).toEqual({ clicks: 0 });
      await reopen();
      expect(await engine.ingest({ file, checkpoints })).toEqual({ clicks: 0 });
      expect((await engine.stats()).rows).toBe(50);
      expect(await Promise.all(["a", "b", "c"].map((segment) => engine.checkpoint(segment)))).toEqual([100, 7, 0]);
    });

    test("a batch that overlaps a stored one in part is refused whole", async () => {
      const file = batchFile(fc.sample(anyClick, { numRuns: 5, seed: 3 }));
      await engine.ingest({ file, checkpoints: [{ segment: "a", offset: 100 }] });
      const overlapping = [
        { segment: "a", offset: 100 },
        { segment: "b", offset: 7 },
      ];
      await expect(engine.ingest({ file, checkpoints: overlapping })).rejects.toThrow("overlaps");
      expect((await engine.stats()).rows).toBe(5);
      expect(await engine.checkpoint("b")).toBe(0);
    });

    test("an empty batch moves its checkpoints", async () => {
      expect(await engine.ingest({ file: batchFile([]), checkpoints: [{ segment: "a", offset: 9 }] })).toEqual({
        clicks: 0,
      });
      expect(await engine.checkpoint("a")).toBe(9);
    });

    test("a line that cannot be read does not hold up the others", async () => {
      const [click] = fc.sample(anyClick, { numRuns: 1, seed: 5 });
      if (!click) throw new Error("no click");
      const good = clickLine(click);
      const file = join(directory, "bad.tsv");
      writeFileSync(file, `${good}\nx\ty\n${good.replace(/^\d+/, "-5")}\n${good}\textra\n${good}\n`);
      expect(await engine.ingest({ file, checkpoints: [{ segment: "a", offset: 1 }] })).toEqual({ clicks: 2 });
    });

    test("checkpoints are forgotten when asked for, and only those", async () => {
      for (const segment of ["a", "b"]) {
        await engine.ingest({ file: batchFile([]), checkpoints: [{ segment, offset: 5 }] });
      }
      await engine.forgetCheckpoints(["a"]);
      await engine.compact(0);
      await reopen();
      expect([await engine.checkpoint("a"), await engine.checkpoint("b")]).toEqual([0, 5]);
    });

    test("clicks of an erased link or account are gone, and do not come back from an old segment", async () => {
      const clicks = fc.sample(anyClick, { numRuns: 400, seed: 11 });
      await ingest(clicks);
      await engine.summarise(FIRST_MS + 7 * DAY_MS);
      await engine.eraseLinks([
        { accountNo: 1, linkNo: 2 },
        { accountNo: 1, linkNo: 3 },
      ]);
      await engine.eraseAccount(2);
      await ingest(clicks);
      await reopen();
      await ingest(clicks);
      for (const linkNo of [2, 3]) oracle.eraseLink({ accountNo: 1, linkNo });
      oracle.clicks = oracle.clicks.filter(({ account_no }) => account_no !== 2);
      await expectSame(wholeWeek);
      await expectSame({ ...wholeWeek, accountNo: 2 });
      await expectSame({ ...wholeWeek, linkNo: 2 });
    });

    test("the newest tags of a link count, also after the history is cleared", async () => {
      await ingest(fc.sample(anyClick, { numRuns: 100, seed: 13 }));
      expect(await engine.linkTagsPosition()).toBe(-1);
      await tag(1, ["old", "spring"], 5);
      await tag(2, ["spring"], 6);
      await tag(1, ["new", "it's"], 7);
      await tag(2, [], 8);
      const request: ReportRequest = { ...wholeWeek, groupBy: ["tag"], limit: 10 };
      await expectSame(request);
      await expectSame({ ...request, filters: { tag: ["it's", null] } });
      await engine.compact(0);
      await reopen();
      await expectSame(request);
      expect(await engine.linkTagsPosition()).toBe(8);
    });

    test("all tags are replaced at once, or none are", async () => {
      const tagsOf = async () => [...((await engine.report(wholeWeek)).breakdowns.get("tag")?.items ?? [])];
      async function* batches(fail: boolean) {
        yield [{ accountNo: 1, linkNo: 2, tags: ["new"] }];
        if (fail) throw new Error("broken off");
        yield [{ accountNo: 1, linkNo: 3, tags: ["new", "other"] }];
      }
      const [click] = fc.sample(anyClick, { numRuns: 1, seed: 17 }) as [TestClick];
      await ingest([1, 2, 3].map((link_no) => ({ ...click, account_no: 1, link_no, bot: false })));
      await tag(1, ["old"], 90);
      const before = await tagsOf();
      await expect(engine.replaceLinkTags(batches(true), 7)).rejects.toThrow("broken off");
      expect(await tagsOf()).toEqual(before);
      expect(await engine.linkTagsPosition()).toBe(90);
      await engine.replaceLinkTags(batches(false), 7);
      expect((await tagsOf()).map(({ key, clicks }) => [key, clicks])).toEqual([
        ["new", 2],
        ["other", 1],
        [null, 1],
      ]);
      await reopen();
      expect(await engine.linkTagsPosition()).toBe(7);
    });

    test("a position is kept without a change of tags, and whatever is erased", async () => {
      expect(await engine.linkTagsPosition()).toBe(-1);
      await engine.setLinkTags([], 3);
      expect(await engine.linkTagsPosition()).toBe(3);
      await tag(1, ["gone"], 8);
      await engine.eraseLinks([{ accountNo: 1, linkNo: 1 }]);
      await engine.eraseAccount(1);
      await engine.compact(0);
      expect(await engine.linkTagsPosition()).toBe(8);
    });

    test("an engine without clicks answers zeros", async () => {
      await expectSame(wholeWeek);
      await expectSame({ ...wholeWeek, previous: { fromMs: 0, toMs: FIRST_MS }, includeBots: true });
    });

    test("reports and batches at the same time do not disturb each other", async () => {
      const clicks = fc.sample(anyClick, { numRuns: 1000, seed: 17 });
      const parts = Array.from({ length: 10 }, (_, index) => clicks.slice(index * 100, index * 100 + 100));
      let running = true;
      const readers = [1, 2].map(async () => {
        while (running) {
          const { totals, series, breakdowns } = await engine.report({ ...wholeWeek, groupBy: ["country"] });
          expect(series.reduce((sum, bucket) => sum + bucket.clicks, 0)).toBe(totals.clicks);
          const country = breakdowns.get("country");
          expect(country?.items.reduce((sum, item) => sum + item.clicks, country.otherClicks)).toBe(totals.clicks);
        }
      });
      const summaries = (async () => {
        while (running) await engine.summarise(FIRST_MS + 7 * DAY_MS);
      })();
      for (const part of parts) {
        await ingest(part);
        await expectSame({ ...wholeWeek, groupBy: [] });
      }
      running = false;
      await Promise.all([...readers, summaries]);
      await expectSame(wholeWeek);
    }, 30_000);

    test("clicks that arrive while their day is summarised are in every report", async () => {
      const clicks = fc.sample(anyClick, { numRuns: 500, seed: 29 }).map((click) => ({
        ...click,
        at_ms: FIRST_MS + (click.at_ms % DAY_MS),
      }));
      await ingest(Array.from({ length: 200 }, () => clicks).flat());
      const request: ReportRequest = { ...wholeWeek, groupBy: [] };
      const summaries = engine.summarise(FIRST_MS + DAY_MS);
      // The first comes before the day is read, the second as a rule while it is added up.
      for (const click of clicks.slice(0, 2)) await ingest([click]);
      await summaries;
      await expectSame(request);
      await engine.summarise(FIRST_MS + DAY_MS);
      await expectSame(request);
    }, 60_000);

    test("a copy of a running engine opens with everything that was stored", async () => {
      await ingest(fc.sample(anyClick, { numRuns: 300, seed: 19 }));
      const copy = mkdtempSync(join(tmpdir(), "kurz-clicks-copy-"));
      await Promise.all([
        engine.exportWith((file) => copyFileAside(file, join(copy, basename(file)))),
        engine.report(wholeWeek),
      ]);
      const stored = await engine.report(wholeWeek);
      await ingest(fc.sample(anyClick, { numRuns: 10, seed: 23 }));
      const restored = open({ directory: copy });
      expect(await restored.report(wholeWeek)).toEqual(stored);
      expect(await restored.checkpoint("node-0-1-0")).toBe(301);
      await restored.close();
      rmSync(copy, { recursive: true });
      await expectSame(wholeWeek);
    });
  });
}
