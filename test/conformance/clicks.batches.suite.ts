import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { copyFileAside } from "#engines/clicks/copy-file-aside.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import { type ClicksLab, DAY_MS, wholeWeek } from "./clicks.lab.ts";
import { clickLine } from "./clicks.oracle.ts";

/** What a clicks engine guarantees about ingested batches. */
export function batchesConformance(lab: ClicksLab): void {
  const { reopen, batchFile, ingest, expectSame } = lab;

  test("a batch counts once, however often it is ingested", async () => {
    const file = batchFile(fc.sample(anyClick, { numRuns: 50, seed: 3 }));
    const checkpoints = [
      { segment: "a", offset: 100 },
      { segment: "b", offset: 7 },
    ];
    expect(await lab.engine.ingest({ file, checkpoints })).toEqual({ clicks: 50 });
    expect(await lab.engine.ingest({ file, checkpoints })).toEqual({ clicks: 0 });
    await reopen();
    expect(await lab.engine.ingest({ file, checkpoints })).toEqual({ clicks: 0 });
    expect((await lab.engine.stats()).rows).toBe(50);
    expect(await Promise.all(["a", "b", "c"].map((segment) => lab.engine.checkpoint(segment)))).toEqual([100, 7, 0]);
  });

  test("a batch that partly overlaps a stored one is refused as a whole", async () => {
    const file = batchFile(fc.sample(anyClick, { numRuns: 5, seed: 3 }));
    await lab.engine.ingest({ file, checkpoints: [{ segment: "a", offset: 100 }] });
    const overlapping = [
      { segment: "a", offset: 100 },
      { segment: "b", offset: 7 },
    ];
    await expect(lab.engine.ingest({ file, checkpoints: overlapping })).rejects.toThrow("overlaps");
    expect((await lab.engine.stats()).rows).toBe(5);
    expect(await lab.engine.checkpoint("b")).toBe(0);
  });

  test("an empty batch advances its checkpoints", async () => {
    expect(await lab.engine.ingest({ file: batchFile([]), checkpoints: [{ segment: "a", offset: 9 }] })).toEqual({
      clicks: 0,
    });
    expect(await lab.engine.checkpoint("a")).toBe(9);
  });

  test("an invalid line is skipped without affecting the others", async () => {
    const [click] = fc.sample(anyClick, { numRuns: 1, seed: 5 });
    if (!click) throw new Error("no click");
    const good = clickLine(click);
    const file = join(lab.directory, "bad.tsv");
    writeFileSync(file, `${good}\nx\ty\n${good.replace(/^\d+/, "-5")}\n${good}\textra\n${good}\n`);
    expect(await lab.engine.ingest({ file, checkpoints: [{ segment: "a", offset: 1 }] })).toEqual({ clicks: 2 });
  });

  test("the checkpoints of all segments but some can be forgotten, for good", async () => {
    for (const segment of ["a", "b", "c"]) {
      await lab.engine.ingest({ file: batchFile([]), checkpoints: [{ segment, offset: 5 }] });
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
    await expectSame(wholeWeek);
    await expectSame({ ...wholeWeek, linkNo: 2 });
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
    await expectSame({ ...wholeWeek, accountNo: 2 });
    await expectSame({ ...wholeWeek, linkNo: 2 });
  });

  test("a copy of a running engine has everything that was stored", async () => {
    await ingest(fc.sample(anyClick, { numRuns: 300, seed: 19 }));
    const copy = mkdtempSync(join(tmpdir(), "kurz-clicks-copy-"));
    await Promise.all([
      lab.engine.exportWith((file) => copyFileAside(file, join(copy, basename(file)))),
      lab.engine.report(wholeWeek),
    ]);
    const stored = await lab.engine.report(wholeWeek);
    await ingest(fc.sample(anyClick, { numRuns: 10, seed: 23 }));
    const restored = lab.open({ directory: copy });
    expect(await restored.report(wholeWeek)).toEqual(stored);
    expect(await restored.checkpoint("node-0-1-0")).toBe(301);
    await restored.close();
    rmSync(copy, { recursive: true });
    await expectSame(wholeWeek);
  });
}
