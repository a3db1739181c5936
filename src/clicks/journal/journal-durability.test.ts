import { describe, expect, test } from "bun:test";
import { MemoryDisk } from "./fixtures/memory-disk.ts";
import { isPending, nextIteration, openOn } from "./fixtures/open-journal.ts";
import { readContents } from "./fixtures/read-journal.ts";

describe("with interval", () => {
  test("each interval with writes ends in one sync, and one without writes in none", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "interval", syncIntervalMs: 5 });
    const startedAt = performance.now();
    while (disk.count("sync") < 3) {
      await journal.append("a\n");
    }
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(10);
    const { clicks } = journal.stats();
    expect(clicks).toBeGreaterThan(3);
    await journal.close();
    expect(journal.stats()).toMatchObject({ clicks, clicksInDoubt: 0, syncFailures: 0 });
    expect(disk.syncingMax).toBe(1);
  });

  test("a full segment is synced before it is closed", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "interval", segmentBytesMax: 10 });
    await journal.append("a\n");
    await journal.append("b\n");
    await journal.close();
    expect(disk.closedUnsynced).toBe(0);
    expect(disk.count("sync")).toBe(2);
    const { lines } = await readContents(disk.contentsAfterPowerCut(() => 0.5));
    expect(lines).toEqual(["a\n", "b\n"]);
  });
});

describe("with always", () => {
  test("an answer waits for the disk, and lines that arrive meanwhile share the next commit", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "always" });
    const first = journal.append("a\n");
    await nextIteration();
    expect(disk.syncing).toBe(1);
    const later = [journal.append("b\n")];
    expect(await isPending(first)).toBe(true);
    await nextIteration();
    later.push(journal.append("c\n"));
    expect(new Set(later).size).toBe(1);
    expect(disk.count("write")).toBe(1);
    await first;
    expect(await isPending(later[0])).toBe(true);
    await later[0];
    expect(disk.count("write")).toBe(2);
    expect(disk.count("sync")).toBe(2);
    expect(disk.syncingMax).toBe(1);
    await journal.close();
  });

  test("the name of a new segment is synced too", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "always", segmentBytesMax: 10 });
    for (const line of ["a\n", "b\n", "c\n"]) await journal.append(line);
    expect(disk.count("syncDirectory")).toBe(3);
    expect((await readContents(disk.contentsAfterPowerCut(() => 0))).lines).toEqual(["a\n", "b\n", "c\n"]);
    await journal.close();
  });

  test("a failed sync releases the answer, is reported, and the next line goes to a new segment", async () => {
    const errors: unknown[] = [];
    const disk = new MemoryDisk((_, operation) =>
      operation === "sync" && disk.count("sync") === 1 ? { code: "EIO" } : undefined,
    );
    const onSyncFailure = (error: unknown): unknown => errors.push(error);
    const { journal, losses } = openOn(disk, { durability: "always", onSyncFailure });
    await journal.append("a\n");
    expect(errors).toMatchObject([{ code: "EIO" }]);
    await journal.append("b\n");
    await journal.close();
    expect(journal.stats()).toMatchObject({ segments: 2, syncFailures: 1, clicksInDoubt: 1 });
    expect({ losses, misuses: disk.misuses }).toEqual({ losses: [], misuses: 0 });
    expect((await readContents(disk.contents())).lines).toEqual(["a\n", "b\n"]);
  });
});
