import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { clickTexts } from "#engines/clicks/click-format.ts";
import { BadClicks } from "#engines/clicks/clicks-engine.ts";
import { copyFileAside } from "#engines/clicks/copy-file-aside.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import { type ClicksLab, DAY_MS, plainWeek, wholeWeek } from "./clicks.lab.ts";
import { partOf } from "./clicks.oracle.ts";

/** What a clicks engine guarantees about ingested batches. */
export function batchesConformance(lab: ClicksLab, { hasFile }: { readonly hasFile: boolean }): void {
  const { reopen, ingest, expectSame } = lab;

  test("a batch counts once, however often it is ingested", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 50, seed: 3 });
    const parts = [
      partOf(clicks.slice(0, 20), "a", 60),
      partOf(clicks.slice(20, 30), "a", 100),
      partOf(clicks.slice(30), "b", 7),
    ];
    expect(await lab.engine.ingest({ parts })).toEqual({ clicks: 50 });
    expect(await lab.engine.ingest({ parts })).toEqual({ clicks: 0 });
    await reopen();
    expect(await lab.engine.ingest({ parts })).toEqual({ clicks: 0 });
    expect((await lab.engine.stats()).rows).toBe(50);
    expect(await Promise.all(["a", "b", "c"].map((segment) => lab.engine.checkpoint(segment)))).toEqual([100, 7, 0]);
  });

  test("a batch that partly overlaps a stored one is refused as a whole", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 5, seed: 3 });
    await lab.engine.ingest({ parts: [partOf(clicks, "a", 100)] });
    const overlapping = [partOf(clicks, "a", 100), partOf(clicks, "b", 7)];
    await expect(lab.engine.ingest({ parts: overlapping })).rejects.toThrow("overlaps");
    expect((await lab.engine.stats()).rows).toBe(5);
    expect(await lab.engine.checkpoint("b")).toBe(0);
  });

  test("an empty batch advances its checkpoints", async () => {
    expect(await lab.engine.ingest({ parts: [partOf([], "a", 9)] })).toEqual({ clicks: 0 });
    expect(await lab.engine.checkpoint("a")).toBe(9);
  });

  test("a line that is not a click stops its batch, which names the segment and stores nothing", async () => {
    const [click] = fc.sample(anyClick, { numRuns: 1, seed: 5 });
    if (!click) throw new Error("no click");
    const good = partOf([click], "good", 1);
    const line = Buffer.from(good.lines).toString();
    const broken = {
      "a field more": line.replace("\n", "\t1\n"),
      "a field less": line.replace(/\t\d+\n/, "\n"),
      "a bad number": line.replace(/^\d+/, "12x4"),
      "no number": line.replace(/^\d+/, ""),
      "a negative number": line.replace(/^\d+/, "-5"),
      "a time that is too late": line.replace(/^\d+/, "999999999999999"),
      "a link number that is too large": line.replace(/^(\d+\t\d+\t)\d+/, "$14294967296"),
      "a visitor that is no number": line.replace(/^((?:\d+\t){4})[^\t]*/, "$1ffffffffffffffzz"),
      "a short visitor": line.replace(/^((?:\d+\t){4})[^\t]*/, "$1ffff"),
      "no line feed": line.trimEnd(),
      "an empty line": "\n",
    };
    for (const [name, text] of Object.entries(broken)) {
      const lines = Buffer.from(line + text + line);
      const bad = { ...good, segment: "bad", lines, count: 3 };
      const error = await lab.engine.ingest({ parts: [good, bad] }).catch((error: unknown) => error);
      expect({ name, error }).toEqual({ name, error: expect.any(BadClicks) });
      expect((error as BadClicks).segment).toBe("bad");
    }
    for (const count of [0, 2]) {
      await expect(lab.engine.ingest({ parts: [{ ...good, count }] })).rejects.toBeInstanceOf(BadClicks);
    }
    expect((await lab.engine.stats()).rows).toBe(0);
    expect(await lab.engine.checkpoint("good")).toBe(0);
    expect(await lab.engine.ingest({ parts: [good] })).toEqual({ clicks: 1 });
  });

  test("clicks whose texts were lost count without them", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 200, seed: 41 });
    const whole = partOf(clicks, "a", 1);
    await lab.engine.ingest({ parts: [{ ...whole, textsOf: () => undefined }] });
    const nothing = Object.fromEntries(clickTexts.map((name) => [name, null]));
    lab.oracle.clicks.push(...clicks.map((click) => ({ ...click, ...nothing })));
    await expectSame(wholeWeek);
  });

  test("text numbers mean what their segment says", async () => {
    const [a = [], b = []] = [1, 2].map((seed) => fc.sample(anyClick, { numRuns: 100, seed }));
    await lab.engine.ingest({ parts: [partOf(a, "a", 1), partOf(b, "b", 1)] });
    await lab.engine.ingest({ parts: [partOf(b, "a", 2), partOf(a, "c", 1)] });
    lab.oracle.clicks.push(...a, ...b, ...b, ...a);
    await expectSame(wholeWeek);
    await reopen();
    await lab.engine.ingest({ parts: [partOf(a, "d", 1)] });
    lab.oracle.clicks.push(...a);
    await expectSame({ ...wholeWeek, limit: 4 });
  });

  test("the checkpoints of all segments but some can be forgotten, for good", async () => {
    for (const segment of ["a", "b", "c"]) {
      await lab.engine.ingest({ parts: [partOf([], segment, 5)] });
    }
    await lab.engine.forgetCheckpointsBut(["b", "d"]);
    const positions = () => Promise.all(["a", "b", "c"].map((segment) => lab.engine.checkpoint(segment)));
    expect(await positions()).toEqual([0, 5, 0]);
    await reopen();
    expect(await positions()).toEqual([0, 5, 0]);
    await lab.engine.forgetCheckpointsBut([]);
    expect(await positions()).toEqual([0, 0, 0]);
  });

  test("a checkpoint is read before reports that are queued", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 400, seed: 29 });
    await ingest(clicks);
    let answered = 0;
    const reports = Array.from({ length: 8 }, () => lab.engine.report(wholeWeek).then(() => (answered += 1)));
    expect(await lab.engine.checkpoint("node-0-1-0")).toBe(401);
    // Two reports run at a time: queued behind them all, it would be read with one left at most.
    expect(answered).toBeLessThan(reports.length - 1);
    await Promise.all(reports);
  });

  test("clicks of one among very many erased links don't come back either", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 400, seed: 31 });
    const others = Array.from({ length: 12_000 }, (_, index) => ({ accountNo: 3, linkNo: 1000 + index }));
    await lab.engine.eraseLinks([...others, { accountNo: 1, linkNo: 2 }]);
    await ingest(clicks);
    lab.oracle.eraseLink({ accountNo: 1, linkNo: 2 });
    await expectSame(plainWeek);
    await expectSame({ ...plainWeek, linkNo: 2 });
  });

  test("clicks of an erased link or account are gone, and don't come back from an old segment", async () => {
    const clicks = fc.sample(anyClick, { numRuns: 400, seed: 11 });
    await ingest(clicks);
    await lab.engine.summarise(FIRST_MS + 7 * DAY_MS);
    await lab.engine.eraseLinks([
      { accountNo: 1, linkNo: 2 },
      { accountNo: 1, linkNo: 3 },
    ]);
    await lab.engine.eraseAccount(2);
    await ingest(clicks);
    await reopen();
    await ingest(clicks);
    for (const linkNo of [2, 3]) lab.oracle.eraseLink({ accountNo: 1, linkNo });
    lab.oracle.clicks = lab.oracle.clicks.filter(({ account_no }) => account_no !== 2);
    await expectSame(wholeWeek);
    await expectSame({ ...plainWeek, accountNo: 2 });
    await expectSame({ ...plainWeek, linkNo: 2 });
  });

  if (hasFile) {
    test("a copy of a running engine has everything that was stored", async () => {
      await ingest(fc.sample(anyClick, { numRuns: 300, seed: 19 }));
      const copy = mkdtempSync(join(tmpdir(), "kurz-clicks-copy-"));
      await Promise.all([
        lab.engine.exportWith((file) => copyFileAside(file, join(copy, basename(file)))),
        lab.engine.report(plainWeek),
      ]);
      const stored = await lab.engine.report(wholeWeek);
      await ingest(fc.sample(anyClick, { numRuns: 10, seed: 23 }));
      const restored = lab.open({ directory: copy });
      expect(await restored.report(wholeWeek)).toEqual(stored);
      expect(await restored.checkpoint("node-0-1-0")).toBe(301);
      await restored.close();
      rmSync(copy, { recursive: true });
      await expectSame(plainWeek);
    });
  }
}
