import { describe, expect, test } from "bun:test";
import { MemoryDisk } from "./fixtures/memory-disk.ts";
import { nextIteration, openOn } from "./fixtures/open-journal.ts";
import { readContents } from "./fixtures/read-journal.ts";

describe("in one event loop iteration", () => {
  test("all lines share one write and one promise", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk);
    const first = journal.append("a\n");
    const second = journal.append("ä\n");
    expect(second).toBe(first);
    expect(disk.count("write")).toBe(0);
    await first;
    expect(disk.count("write")).toBe(1);
    expect(journal.append("c\n")).not.toBe(first);
    await journal.close();
    expect(disk.count("write")).toBe(3);
    expect((await readContents(disk.contents())).lines).toEqual(["a\n", "ä\n", "c\n"]);
  });

  test("an answer doesn't wait for the disk with os and interval", async () => {
    for (const durability of ["os", "interval"] as const) {
      const disk = new MemoryDisk();
      const { journal } = openOn(disk, { durability });
      await journal.append("a\n");
      expect(disk.count("sync")).toBe(0);
      await journal.close();
      expect(disk.count("sync")).toBe(durability === "os" ? 0 : 1);
    }
  });

  test("the buffer is bounded, and lines beyond it are dropped at once", async () => {
    const disk = new MemoryDisk();
    const { journal, losses } = openOn(disk, { waitingBytesMax: 4 * 1024 * 1024 });
    const line = `${"e".repeat(1024 * 1024 - 1)}\n`;
    const waits = Array.from({ length: 6 }, () => journal.append(line));
    expect(waits.map((wait) => wait !== undefined)).toEqual([true, true, true, true, false, false]);
    expect(losses).toEqual(Array(2).fill(["buffer_full", 1]));
    await Promise.all(waits);
    expect((await readContents(disk.contents(), 1 << 24)).lines).toEqual(Array(4).fill(line));
    await journal.close();
  });
});

describe("right after a write", () => {
  const openAt = async (now: { ms: number }) => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { clock: () => now.ms });
    await journal.append("first\n");
    const append = (count: number) => Promise.all(Array.from({ length: count }, () => journal.append("next\n")));
    return { disk, journal, append };
  };

  test("several clicks wait a moment for those that follow, and are written in one block", async () => {
    const now = { ms: 0 };
    const { disk, journal, append } = await openAt(now);
    const early = append(4);
    await nextIteration();
    await nextIteration();
    const late = append(2);
    await nextIteration();
    expect(disk.count("write")).toBe(1);
    now.ms = 1;
    await Promise.all([early, late]);
    expect(disk.count("write")).toBe(2);
    await journal.close();
  });

  test("a few clicks don't wait, and closing waits for no more clicks", async () => {
    const { disk, journal, append } = await openAt({ ms: 0 });
    await append(3);
    expect(disk.count("write")).toBe(2);
    const last = append(4);
    await journal.close();
    await last;
    expect((await readContents(disk.contents())).lines).toHaveLength(8);
  });
});

describe("the journal", () => {
  test("is cut into small segments if it is small, so ingestion can free space", async () => {
    const disk = new MemoryDisk();
    const { journal, losses } = openOn(disk, { bytesMax: 1 << 20 });
    const line = `${"a".repeat(99)}\n`;
    for (let clicks = 0; clicks < 2000; clicks += 1) await journal.append(line);
    await journal.close();
    const sizes = [...disk.contents().values()].map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan((1 << 20) / 16);
    expect(losses).toEqual([]);
  });

  test("accepts nothing while it is full, whichever process filled it", async () => {
    const disk = new MemoryDisk();
    const options = { bytesMax: 2000, measureIntervalMs: 1, segmentBytesMax: 500 };
    const writers = [0, 1].map((writer) => openOn(disk, { ...options, writer }));
    let offered = 0;
    const isFull = (): boolean => writers.every(({ losses }) => losses.length > 0);
    while (!isFull()) {
      for (const { journal } of writers) journal.append("0123456789012345678901234567890123456789\n");
      offered += 2;
      await nextIteration();
    }
    const lost = writers.flatMap(({ losses }) => losses);
    expect(new Set(lost.map(([reason]) => reason))).toEqual(new Set(["journal_full"]));
    expect(writers.map(({ journal }) => journal.append("x\n"))).toEqual([undefined, undefined]);
    const { lines } = await readContents(disk.contents());
    expect(lines.length + lost.length).toBe(offered);

    disk.clear();
    const [{ journal } = openOn(disk)] = writers;
    const { clicks } = journal.stats();
    while (journal.append("again\n") === undefined) await nextIteration();
    await Promise.all(writers.map((writer) => writer.journal.close()));
    expect(journal.stats().clicks).toBe(clicks + 1);
  });

  test("counts a process's own writes before the directory is measured", async () => {
    const { journal, losses } = openOn(new MemoryDisk(), { bytesMax: 300, measureIntervalMs: 1_000_000 });
    for (let turn = 0; turn < 40; turn += 1) await journal.append("0123456789\n");
    await journal.close();
    expect(losses.length).toBeGreaterThan(25);
    expect(journal.stats()).toMatchObject({ clicks: 40 - losses.length, lost: { journal_full: losses.length } });
  });

  test("refuses anything but single lines, since one bad line would spoil a whole batch", () => {
    const { journal, losses } = openOn(new MemoryDisk());
    const bad = ["", "\n", "no end", "two\nlines\n", "a\x01b\n"];
    expect(bad.map((line) => journal.append(line))).toEqual(bad.map(() => undefined));
    expect(losses).toEqual(bad.map(() => ["bad_line", 1]));
    expect(journal.stats().lost.bad_line).toBe(bad.length);
  });

  test("accepts nothing once closed, and closing it twice is harmless", async () => {
    const disk = new MemoryDisk();
    const { journal, losses } = openOn(disk, { durability: "always" });
    const waiting = journal.append("a\n");
    const closed = journal.close();
    expect(journal.append("b\n")).toBeUndefined();
    expect(journal.close()).toBe(closed);
    await closed;
    await waiting;
    expect(losses).toEqual([["closed", 1]]);
    expect((await readContents(disk.contents())).lines).toEqual(["a\n"]);
  });

  test("refuses node names that would put its files elsewhere", () => {
    for (const node of ["", "../x", "a/b", ".hidden", "a b", "x".repeat(65)]) {
      expect(() => openOn(new MemoryDisk(), { node })).toThrow("invalid node name");
    }
  });
});
