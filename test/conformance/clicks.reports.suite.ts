import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { DailyClicks, DailyRequest, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { anyClick, anyRequest, FIRST_MS } from "./clicks.arbitraries.ts";
import { type ClicksLab, casesOf, DAY_MS, wholeWeek } from "./clicks.lab.ts";

/** What a clicks engine guarantees about its reports. */
export function reportsConformance(
  lab: ClicksLab,
  { hasSummaries, casesMax }: { readonly hasSummaries: boolean; readonly casesMax?: number },
): void {
  const { each, reopen, ingest, tag, expectSame } = lab;

  test("any report on any clicks equals a plain count, with and without summaries", async () => {
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
          await lab.engine.summarise(FIRST_MS + summariseDays * DAY_MS);
          if (hasSummaries) for (const request of requests.slice(0, 3)) await expectSame(request);
          await ingest(late);
          if (erase !== null) {
            await lab.engine.eraseLinks([{ accountNo: 1, linkNo: erase }]);
            lab.oracle.eraseLink({ accountNo: 1, linkNo: erase });
          }
          for (const request of requests) await expectSame(request);
          await lab.engine.summarise(FIRST_MS + summariseDays * DAY_MS);
          await reopen();
          for (const request of hasSummaries ? requests : requests.slice(0, 1)) await expectSame(request);
        }),
      ),
      { numRuns: casesOf(6, casesMax), endOnFailure: true },
    );
  });

  test("a report on compacted clicks equals the one before, except for visitors no longer known", async () => {
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
          await lab.engine.summarise(FIRST_MS + 7 * DAY_MS);
          if (erase !== null) {
            await lab.engine.eraseLinks([{ accountNo: 1, linkNo: erase }]);
            lab.oracle.eraseLink({ accountNo: 1, linkNo: erase });
          }
          await lab.engine.compact(FIRST_MS + compactDays * DAY_MS + 12_345);
          lab.oracle.compactedUntilDay = Math.floor(FIRST_MS / DAY_MS) + compactDays;
          for (const request of requests) await expectSame(request);
          await expectSame(wholeWeek);
          const { rows, compactedClicks } = await lab.engine.stats();
          expect(rows + compactedClicks).toBe(lab.oracle.clicks.length);
        }),
      ),
      { numRuns: casesOf(6, casesMax), endOnFailure: true },
    );
  });

  test("clicks by link and day equal a plain count, also of days that were compacted or erased", async () => {
    const firstDay = Math.floor(FIRST_MS / DAY_MS);
    const anyDays = fc.record({
      clicks: fc.array(anyClick, { minLength: 50, maxLength: 250, size: "max" }),
      compactDays: fc.noBias(fc.integer({ min: 0, max: 8 })),
      requests: fc.array(
        fc.record({
          accountNo: fc.integer({ min: 1, max: 2 }),
          linkNumbers: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }),
          fromDay: fc.integer({ min: firstDay - 1, max: firstDay + 7 }),
          toDay: fc.integer({ min: firstDay, max: firstDay + 8 }),
        }),
        { minLength: 4, maxLength: 8 },
      ),
    });
    const inOrder = (days: readonly DailyClicks[]) => days.toSorted((a, b) => a.linkNo - b.linkNo || a.day - b.day);
    const expectDays = async (request: DailyRequest) =>
      expect(inOrder(await lab.engine.dailyClicks(request))).toEqual(inOrder(lab.oracle.dailyClicks(request)));
    await fc.assert(
      fc.asyncProperty(anyDays, ({ clicks, compactDays, requests }) =>
        each(async () => {
          await ingest(clicks);
          for (const request of requests.slice(0, 2)) await expectDays(request);
          await lab.engine.eraseLinks([{ accountNo: 1, linkNo: 3 }]);
          lab.oracle.eraseLink({ accountNo: 1, linkNo: 3 });
          await lab.engine.compact(FIRST_MS + compactDays * DAY_MS);
          for (const request of requests) await expectDays(request);
        }),
      ),
      { numRuns: casesOf(4, casesMax), endOnFailure: true },
    );
  });

  test("the parts of a report are consistent", async () => {
    await ingest(fc.sample(anyClick, { numRuns: 1000, seed: 7 }));
    await fc.assert(
      fc.asyncProperty(anyRequest({ aligned: false }), async (request) => {
        const { totals, series, breakdowns } = await lab.engine.report(request);
        for (const field of ["clicks", "qrScans", "botHits"] as const) {
          expect(series.reduce((sum, bucket) => sum + bucket[field], 0)).toBe(totals[field]);
        }
        for (const [dimension, { items, otherClicks }] of breakdowns) {
          const sum = items.reduce((total, { clicks }) => total + clicks, otherClicks);
          if (dimension !== "tag") expect(sum).toBe(totals.clicks);
        }
        if (request.linkNo !== null) return;
        const links = await Promise.all([1, 2, 3, 4].map((linkNo) => lab.engine.report({ ...request, linkNo })));
        for (const field of ["clicks", "qrScans", "botHits"] as const) {
          expect(links.reduce((sum, report) => sum + report.totals[field], 0)).toBe(totals[field]);
        }
        const flipped = await lab.engine.report({ ...request, includeBots: !request.includeBots });
        expect(flipped.totals.botHits).toBe(totals.botHits);
        expect(Math.abs(flipped.totals.clicks - totals.clicks)).toBe(totals.botHits);
      }),
      { numRuns: casesOf(12, casesMax), endOnFailure: true },
    );
  });

  test("an engine without clicks reports zeros", async () => {
    await expectSame(wholeWeek);
    await expectSame({ ...wholeWeek, previous: { fromMs: 0, toMs: FIRST_MS }, includeBots: true });
  });

  test("reports and batches at the same time don't affect each other", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 1000, seed: 17 });
    const parts = Array.from({ length: 10 }, (_, index) => clicks.slice(index * 100, index * 100 + 100));
    let running = true;
    const readers = [1, 2].map(async () => {
      while (running) {
        const { totals, series, breakdowns } = await lab.engine.report({ ...wholeWeek, groupBy: ["country"] });
        expect(series.reduce((sum, bucket) => sum + bucket.clicks, 0)).toBe(totals.clicks);
        const country = breakdowns.get("country");
        expect(country?.items.reduce((sum, item) => sum + item.clicks, country.otherClicks)).toBe(totals.clicks);
      }
    });
    const summaries = (async () => {
      while (running) {
        await lab.engine.summarise(FIRST_MS + 7 * DAY_MS);
        // An engine without summaries resolves at once, and nothing else would ever get its turn.
        await setImmediate();
      }
    })();
    for (const part of parts) {
      await ingest(part);
      await expectSame({ ...wholeWeek, groupBy: [] });
    }
    running = false;
    await Promise.all([...readers, summaries]);
    await expectSame(wholeWeek);
  });

  test("clicks that arrive while their day is summarised are in every report", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 500, seed: 29 }).map((click) => ({
      ...click,
      at_ms: FIRST_MS + (click.at_ms % DAY_MS),
    }));
    await ingest(Array.from({ length: 200 }, () => clicks).flat());
    const request: ReportRequest = { ...wholeWeek, groupBy: [] };
    const summaries = lab.engine.summarise(FIRST_MS + DAY_MS);
    // The first arrives before the day is read, the second usually while it is summed up.
    for (const click of clicks.slice(0, 2)) await ingest([click]);
    await summaries;
    await expectSame(request);
    await lab.engine.summarise(FIRST_MS + DAY_MS);
    await expectSame(request);
  });
}
