import { expect, test } from "bun:test";
import fc from "fast-check";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import { accountDimensions } from "#contract/analytics.ts";
import {
  BadCounts,
  type ClickCount,
  type CountBatch,
  type CountChunk,
  momentOfDay,
  ONLY_CUT,
} from "#engines/clicks/click-counts.ts";
import type {
  BreakdownItem,
  ClickPlace,
  ClicksEngine,
  DailyClicks,
  ListedClick,
} from "#engines/clicks/clicks-engine.ts";
import { anyClick, anyRequest, FIRST_MS } from "./clicks.arbitraries.ts";
import { anyDayVisitors, anyMoment, anyVisit } from "./clicks.counts.arbitraries.ts";
import { type ClicksLab, casesOf, DAY_MS, plainWeek, wholeWeek } from "./clicks.lab.ts";

const FIRST_DAY = FIRST_MS / DAY_MS;

async function exportAll(engine: ClicksEngine, accountNo: number): Promise<CountChunk> {
  const all = { counts: [] as ClickCount[], visitors: [] as CountChunk["visitors"][number][] };
  for await (const { counts, visitors } of engine.exportCounts({ accountNo, salt: 0x1234_5678_9abc_def0n })) {
    all.counts.push(...counts);
    all.visitors.push(...visitors);
  }
  return all;
}

/** Without the names of visitors, which differ in each export. */
const comparable = ({ counts, visitors }: CountChunk): string[] =>
  [
    ...counts.map(({ visitor, ...count }) => ({ ...count, visitor: typeof visitor === "string" ? "" : visitor })),
    ...visitors,
  ]
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted();

/** What a clicks engine guarantees about clicks that others have counted. */
export function countsConformance(lab: ClicksLab, { casesMax }: { readonly casesMax?: number } = {}): void {
  const { each, reopen, ingest, tag, expectSame, importCounts } = lab;

  const anyImport = fc.record({
    clicks: fc.array(anyClick, { maxLength: 120, size: "max" }),
    moments: fc.array(anyMoment, { maxLength: 40, size: "max" }),
    visits: fc.array(anyVisit, { maxLength: 60, size: "max" }),
    dayVisitors: fc.array(anyDayVisitors, { maxLength: 8 }),
    tags: fc.uniqueArray(fc.constantFrom("spring", "sale"), { maxLength: 2 }),
    summariseDays: fc.noBias(fc.integer({ min: 0, max: 9 })),
    compactDays: fc.noBias(fc.integer({ min: 0, max: 8 })),
    erase: fc.option(fc.constant(4)),
    requests: fc.array(anyRequest({ aligned: true }), { minLength: 4, maxLength: 8 }),
  });

  test("any report on clicks and imported counts equals a plain count, also once they are compacted", async () => {
    await fc.assert(
      fc.asyncProperty(anyImport, ({ clicks, tags, erase, requests, summariseDays, compactDays, ...imported }) =>
        each(async () => {
          await ingest(clicks);
          await importCounts(imported);
          await tag(1, tags, 0);
          for (const request of requests.slice(0, 2)) await expectSame(request);
          await lab.engine.summarise(FIRST_MS + summariseDays * DAY_MS);
          if (erase !== null) {
            await lab.engine.eraseLinks([{ accountNo: 1, linkNo: erase }]);
            lab.oracle.eraseLink({ accountNo: 1, linkNo: erase });
          }
          for (const request of requests) await expectSame(request);
          await lab.engine.compact(FIRST_MS + compactDays * DAY_MS);
          lab.oracle.compactedUntilDay = FIRST_DAY + compactDays;
          await lab.engine.reclaim();
          await reopen();
          for (const request of requests) await expectSame(request);
          await expectSame(wholeWeek);
        }),
      ),
      { numRuns: casesOf(4, casesMax), endOnFailure: true },
    );
  });

  test("what is exported gives the same reports elsewhere, and is exported again as it was", async () => {
    await fc.assert(
      fc.asyncProperty(anyImport, ({ clicks, tags, requests, compactDays, ...imported }) =>
        each(async () => {
          await ingest(clicks);
          await importCounts(imported);
          await tag(1, tags, 0);
          await lab.engine.compact(FIRST_MS + compactDays * DAY_MS);
          const ofAccount = requests.slice(0, 3).map((request) => ({ ...request, accountNo: 1 }));
          const before = await Promise.all([wholeWeek, ...ofAccount].map((request) => lab.engine.report(request)));
          const exported = await exportAll(lab.engine, 1);
          await lab.stop();
          await lab.start();
          await tag(1, tags, 0);
          await lab.engine.storeCounts({ accountNo: 1, importId: "moved", no: 1, ...exported });
          const after = await Promise.all([wholeWeek, ...ofAccount].map((request) => lab.engine.report(request)));
          expect(after).toEqual(before);
          expect(comparable(await exportAll(lab.engine, 1))).toEqual(comparable(exported));
        }),
      ),
      { numRuns: casesOf(3, casesMax), endOnFailure: true },
    );
  });

  test("a whole breakdown has the items of a report without a limit, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(anyImport, ({ clicks, tags, requests, compactDays, ...imported }) =>
        each(async () => {
          await ingest(clicks);
          await importCounts(imported);
          await tag(1, tags, 0);
          await lab.engine.compact(FIRST_MS + compactDays * DAY_MS);
          lab.oracle.compactedUntilDay = FIRST_DAY + compactDays;
          for (const { groupBy: _, limit: __, ...request } of requests) {
            for (const groupBy of fc.sample(fc.constantFrom(...accountDimensions), 3)) {
              const items: BreakdownItem[] = [];
              for await (const some of lab.engine.breakdown({ ...request, groupBy })) items.push(...some);
              const report = lab.oracle.report({ ...request, groupBy: [groupBy], limit: 1_000_000 });
              expect({ groupBy, items }).toEqual({
                groupBy,
                items: [...(report.breakdowns.get(groupBy)?.items ?? [])],
              });
            }
          }
        }),
      ),
      { numRuns: casesOf(3, casesMax), endOnFailure: true },
    );
  });

  test("a whole breakdown of a range without clicks is empty, whatever it is filtered by", async () => {
    await ingest(fc.sample(anyClick, { numRuns: 5, seed: 4 }));
    const before = { ...wholeWeek, fromMs: FIRST_MS - 9 * DAY_MS, toMs: FIRST_MS - 8 * DAY_MS };
    for (const filters of [{}, { country: ["DE"], tag: ["spring"] }]) {
      const items = (await Array.fromAsync(lab.engine.breakdown({ ...before, filters, groupBy: "os" }))).flat();
      expect(items).toEqual([]);
    }
  });

  test("pages of any size list each single click that a report counts once, newest first", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 150, seed: 21 });
    // Some at the same moment, and some that nobody can tell apart.
    const crowd = clicks.slice(0, 40).map((click, at) => ({ ...click, at_ms: FIRST_MS + DAY_MS + (at % 3) }));
    await ingest([...clicks, ...crowd, ...crowd.slice(0, 10)]);
    await importCounts({ moments: fc.sample(anyMoment, { numRuns: 9, seed: 3 }), visits: [], dayVisitors: [] });
    await tag(1, ["spring"], 0);
    const requests = fc.sample(anyRequest({ aligned: false }), { numRuns: casesOf(12, casesMax), seed: 9 });
    for (const { accountNo, linkNo, filters, includeBots, fromMs, toMs } of [wholeWeek, ...requests]) {
      const limit = 1 + Math.floor(Math.random() * 60);
      const listed: ListedClick[] = [];
      for (let after: ClickPlace | null = null; ; ) {
        const request = { accountNo, linkNo, filters, includeBots, fromMs, toMs, limit, after };
        const page: readonly ListedClick[] = await lab.engine.listClicks(request);
        listed.push(...page);
        const last = page.at(-1);
        if (!last || page.length < limit) break;
        const skip = listed.filter(({ at_ms, tie }) => at_ms === last.at_ms && tie === last.tie).length;
        after = { atMs: last.at_ms, tie: last.tie, skip };
      }
      const times = listed.map(({ at_ms }) => at_ms);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      const expected = lab.oracle.listClicks({ accountNo, linkNo, filters, includeBots, fromMs, toMs });
      const inOrder = (rows: readonly object[]) =>
        rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
      expect(inOrder(listed.map(({ tie: _, ...click }) => click))).toEqual(inOrder(expected));
    }
  });

  const moments = fc.sample(anyMoment, { numRuns: 60, seed: 5 });
  const counts = moments.filter(({ accountNo }) => accountNo === 1).flatMap(toClickCounts);
  const batch: CountBatch = { accountNo: 1, importId: "i", no: 1, counts, visitors: [] };
  const importedClicks = async () => (await lab.engine.stats()).importedClicks;

  test("a batch of counts is stored once, and so is an earlier one of its import", async () => {
    expect(await lab.engine.lastCountBatch(1, "i")).toBe(0);
    const { clicks } = await lab.engine.storeCounts(batch);
    expect(clicks).toBeGreaterThan(0);
    expect(await importedClicks()).toBe(clicks);
    await lab.engine.storeCounts({ ...batch, no: 3 });
    await reopen();
    for (const no of [1, 2, 3]) expect(await lab.engine.storeCounts({ ...batch, no })).toEqual({ clicks: 0 });
    expect(await lab.engine.lastCountBatch(1, "i")).toBe(3);
    expect(await importedClicks()).toBe(2 * clicks);
    // Another import, or account, has numbers of its own.
    await lab.engine.storeCounts({ ...batch, importId: "j" });
    await lab.engine.storeCounts({ ...batch, accountNo: 2 });
    expect(await importedClicks()).toBe(4 * clicks);
    expect(await lab.engine.storeCounts({ ...batch, no: 4, counts: [] })).toEqual({ clicks: 0 });
    expect(await lab.engine.lastCountBatch(1, "i")).toBe(4);
  });

  test("a count that can't be stored as it is stops its batch", async () => {
    const [count] = counts;
    if (!count) throw new Error("no count");
    const bad: readonly Partial<ClickCount>[] = [
      { at_ms: FIRST_MS + 1 },
      { clicks: 0 },
      { clicks: 1.5 },
      { clicks: 2 ** 32 },
      { link_no: 0 },
      { country: "D\tE" },
      { referrer: "a\nb" },
      { visitor: "12" },
    ];
    for (const change of bad) {
      const wrong = { ...batch, counts: [...counts, { ...count, ...change }] };
      expect(await lab.engine.storeCounts(wrong).catch((error: unknown) => error)).toBeInstanceOf(BadCounts);
    }
    expect(await importedClicks()).toBe(0);
    expect(await lab.engine.lastCountBatch(1, "i")).toBe(0);
  });

  test("counts of an erased link or account are gone, and don't come back", async () => {
    const visits = fc.sample(anyVisit, { numRuns: 60, seed: 5 });
    const dayVisitors = fc.sample(anyDayVisitors, { numRuns: 20, seed: 5 });
    await importCounts({ moments, visits, dayVisitors });
    await lab.engine.eraseLinks([{ accountNo: 1, linkNo: 2 }]);
    lab.oracle.eraseLink({ accountNo: 1, linkNo: 2 });
    await lab.engine.eraseAccount(2);
    await lab.engine.reclaim();
    await reopen();
    lab.oracle.moments = lab.oracle.moments.filter(({ accountNo }) => accountNo !== 2);
    lab.oracle.visits = lab.oracle.visits.filter(({ account_no }) => account_no !== 2);
    lab.oracle.dayVisitors = lab.oracle.dayVisitors.filter(({ accountNo }) => accountNo !== 2);
    await expectSame(plainWeek);
    const stored = await importedClicks();
    const gone = counts.filter(({ link_no }) => link_no === 2);
    expect(await lab.engine.storeCounts({ ...batch, counts: gone })).toEqual({ clicks: 0 });
    const visitors = [{ linkNo: 2, day: FIRST_DAY, withBots: false, clicks: 1, visitors: 1 }];
    expect(await lab.engine.storeCounts({ ...batch, accountNo: 2, visitors })).toEqual({ clicks: 0 });
    expect(await importedClicks()).toBe(stored);
    await expectSame(wholeWeek);
    await expectSame({ ...plainWeek, accountNo: 2 });
    await expectSame({ ...plainWeek, linkNo: 2 });
    expect(await exportAll(lab.engine, 2)).toEqual({ counts: [], visitors: [] });
  });

  test("imported counts are among the clicks by link and day, and the range of all clicks", async () => {
    await importCounts({ moments, visits: fc.sample(anyVisit, { numRuns: 60, seed: 7 }), dayVisitors: [] });
    const inOrder = (days: readonly DailyClicks[]) => days.toSorted((a, b) => a.linkNo - b.linkNo || a.day - b.day);
    const request = { accountNo: 1, linkNumbers: [1, 2, 4], fromDay: FIRST_DAY + 1, toDay: FIRST_DAY + 6 };
    expect(inOrder(await lab.engine.dailyClicks(request))).toEqual(inOrder(lab.oracle.dailyClicks(request)));
    const { counts: all } = await exportAll(lab.engine, 1);
    const times = all.map(({ at_ms }) => at_ms);
    const range = { fromMs: FIRST_MS + 3 * DAY_MS, toMs: FIRST_MS + 3 * DAY_MS };
    expect(await lab.engine.findOutside({ accountNo: 1, linkNo: null }, range)).toEqual({
      fromMs: Math.min(...times),
      toMs: Math.max(...times) + 1,
    });
  });

  test("the range of all clicks ends with the moment of the last count, not with the quarter of an hour it stands for", async () => {
    const [count] = counts;
    if (!count) throw new Error("no count");
    const SLOT_MS = 900_000;
    const atMs = FIRST_MS + DAY_MS;
    await lab.engine.storeCounts({ ...batch, counts: [{ ...count, at_ms: atMs, bot: false, cut: ONLY_CUT }] });
    const scope = { accountNo: 1, linkNo: null };
    const outside = (fromMs: number, toMs: number) => lab.engine.findOutside(scope, { fromMs, toMs });
    // What a report on the range counts isn't outside of it.
    expect(await outside(FIRST_MS, atMs + 1)).toBeNull();
    expect(await outside(FIRST_MS, atMs + SLOT_MS - 1)).toBeNull();
    expect(await outside(FIRST_MS, atMs)).toEqual({ fromMs: atMs, toMs: atMs + 1 });
    // In the quarter of an hour in which a link was created, and imported.
    expect(await outside(atMs + 1, atMs + 2)).toEqual({ fromMs: atMs, toMs: atMs + 1 });
    for (const toMs of [atMs, atMs + 1]) {
      const { totals } = await lab.engine.report({ ...wholeWeek, toMs, groupBy: [] });
      expect(totals.clicks).toBe(toMs > atMs ? count.clicks : 0);
    }
  });

  test("the count of a day is on that day, whatever the time zone, and at no hour of the week", async () => {
    const [count] = counts;
    if (!count) throw new Error("no count");
    const ofDay = { ...count, at_ms: momentOfDay(FIRST_DAY), has_hour: false, bot: false, clicks: 7, cut: ONLY_CUT };
    await lab.engine.storeCounts({ ...batch, counts: [ofDay] });
    for (const offsetHours of [-11, 0, 12.75]) {
      const startMs = FIRST_MS - offsetHours * 3_600_000;
      const offsets = [{ fromMs: 0, offsetMs: offsetHours * 3_600_000 }];
      const range = { fromMs: startMs, toMs: startMs + DAY_MS, bucketStartsMs: [startMs], weekOffsets: offsets };
      const { totals, weekHours } = await lab.engine.report({ ...wholeWeek, ...range, groupBy: [] });
      expect(totals).toMatchObject({ clicks: 7, uniqueVisitors: null });
      expect(weekHours?.reduce((sum, clicks) => sum + clicks, 0)).toBe(0);
    }
  });
}
