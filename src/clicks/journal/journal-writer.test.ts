import { describe, expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { MemoryDisk } from "./fixtures/memory-disk.ts";
import { readContents } from "./fixtures/read-journal.ts";
import { type JournalWriterOptions, openJournalWriter } from "./journal-writer.ts";
import { LossTally } from "./loss-tally.ts";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function openOn(disk: MemoryDisk, options: Partial<JournalWriterOptions> = {}) {
  const losses: [reason: string, clicks: number][] = [];
  const journal = openJournalWriter({
    directory: "/journal",
    node: "n",
    writer: 0,
    epoch: 1,
    durability: "os",
    bytesMax: 1e9,
    files: disk.files,
    onLoss: (reason, clicks) => losses.push([reason, clicks]),
    ...options,
  });
  return { journal, losses };
}

const isPending = async (promise: Promise<void> | undefined): Promise<boolean> => {
  const pending = Symbol();
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
};

describe("a turn of the event loop", () => {
  test("all its lines share one write and one promise", async () => {
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

  test("an answer does not wait for the disk with os and interval", async () => {
    for (const durability of ["os", "interval"] as const) {
      const disk = new MemoryDisk();
      const { journal } = openOn(disk, { durability });
      await journal.append("a\n");
      expect(disk.count("sync")).toBe(0);
      await journal.close();
      expect(disk.count("sync")).toBe(durability === "os" ? 0 : 1);
    }
  });

  test("what waits for its turn is bounded, and what is beyond is answered at once", async () => {
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

describe("interval", () => {
  test("one sync follows the writes of an interval, and none when nothing was written", async () => {
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

  test("a segment that is left is synced before it is closed", async () => {
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

describe("always", () => {
  test("an answer waits for the disk, and what comes meanwhile shares the next commit", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "always" });
    const first = journal.append("a\n");
    await nextTurn();
    expect(disk.syncing).toBe(1);
    const later = [journal.append("b\n")];
    expect(await isPending(first)).toBe(true);
    await nextTurn();
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

  test("the name of a new segment is brought to the disk, too", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { durability: "always", segmentBytesMax: 10 });
    for (const line of ["a\n", "b\n", "c\n"]) await journal.append(line);
    expect(disk.count("syncDirectory")).toBe(3);
    expect((await readContents(disk.contentsAfterPowerCut(() => 0))).lines).toEqual(["a\n", "b\n", "c\n"]);
    await journal.close();
  });

  test("a failing sync lets the answer go, is told, and the next line goes to a new segment", async () => {
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

describe("a disk that does not answer", () => {
  const lineNo = (no: number): string => `line ${no}\n`;

  test.each(["os", "interval"] as const)(
    "with %s, holds up an answer for a moment only; clicks wait in memory and are written in order, once",
    async (durability) => {
      const disk = new MemoryDisk();
      const tally = new LossTally();
      const told: string[] = [];
      const { journal, losses } = openOn(disk, {
        durability,
        tally,
        patienceMs: 10,
        onStall: () => told.push("stall"),
        onStallEnd: (clicks) => told.push(`end ${clicks}`),
      });
      await journal.append(lineNo(0));
      const thaw = disk.freeze();
      const first = journal.append(lineNo(1));
      expect(await isPending(first)).toBe(true);
      await first;
      // Before the answer leaves it is known what a kill would cost.
      expect({ told, unwritten: tally.unwritten }).toEqual({ told: ["stall"], unwritten: 1 });
      for (let no = 2; no < 50; no += 1) expect(journal.append(lineNo(no))).toBeUndefined();
      expect(tally.unwritten).toBe(49);
      expect(journal.stats()).toMatchObject({ clicks: 1, waitingClicks: 49, earlyClicks: 49 });
      thaw();
      await until("the journal has taken everything", () => tally.unwritten === 0);
      expect(told).toEqual(["stall", "end 49"]);
      const after = journal.append(lineNo(50));
      expect(await isPending(after)).toBe(true);
      await after;
      await journal.close();
      const { lines, gaps } = await readContents(disk.contents());
      expect({ lines, gaps, losses }).toEqual({
        lines: Array.from({ length: 51 }, (_, no) => lineNo(no)),
        gaps: 0,
        losses: [],
      });
      expect(journal.stats()).toMatchObject({ clicks: 51, waitingClicks: 0 });
    },
  );

  test("with always, answers wait for as long as it takes", async () => {
    const disk = new MemoryDisk();
    const told: string[] = [];
    const { journal } = openOn(disk, { durability: "always", patienceMs: 2, onStall: () => told.push("stall") });
    const thaw = disk.freeze();
    const waits = [journal.append(lineNo(0))];
    await until("the stall is told", () => told.length > 0);
    waits.push(journal.append(lineNo(1)));
    for (const wait of waits) expect(await isPending(wait)).toBe(true);
    thaw();
    await Promise.all(waits);
    expect(disk.count("sync")).toBeGreaterThan(0);
    await journal.close();
  });

  test("fills no more than the memory it is given, and what it loses is told", async () => {
    const disk = new MemoryDisk();
    const tally = new LossTally();
    const { journal, losses } = openOn(disk, { patienceMs: 2, tally, waitingBytesMax: 1_000_000 });
    const thaw = disk.freeze();
    const line = `${"x".repeat(99)}\n`;
    await journal.append(line);
    const offered = 20_000;
    for (let no = 1; no < offered; no += 1) journal.append(line);
    expect(journal.stats().waitingClicks).toBeLessThanOrEqual(10_001);
    expect(tally.unwritten + losses.length).toBe(offered);
    expect(new Set(losses.map(([reason]) => reason))).toEqual(new Set(["buffer_full"]));
    thaw();
    await journal.close();
    const { lines } = await readContents(disk.contents(), 1 << 20);
    expect(lines.length + losses.length).toBe(offered);
    expect(tally.lost.buffer_full).toBe(losses.length);
  });

  test("and fails in the end costs what waited, once, and says so", async () => {
    let isBroken = false;
    const disk = new MemoryDisk((_, operation) => (isBroken && operation === "write" ? { code: "EIO" } : undefined));
    const tally = new LossTally();
    const { journal } = openOn(disk, { patienceMs: 2, tally });
    const thaw = disk.freeze();
    await journal.append(lineNo(0));
    journal.append(lineNo(1));
    isBroken = true;
    thaw();
    await until("nothing waits any more", () => tally.unwritten === 0);
    expect(tally.lost).toMatchObject({ write_failed: 2 });
    await journal.close();
  });
});

describe("a segment", () => {
  test("is begun with the first line only, and an idle process leaves no files", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk);
    await until("the file of the first segment is ready", () => disk.paths().length === 1);
    expect(disk.contents().size).toBe(0);
    await journal.close();
    expect(disk.paths()).toEqual([]);
  });

  test("that is full grows on while no file can be opened, and is followed as soon as one can", async () => {
    let isFamine = false;
    const disk = new MemoryDisk((_, operation) =>
      isFamine && operation === "create" ? { code: "EMFILE" } : undefined,
    );
    let now = 0;
    const { journal, losses } = openOn(disk, { segmentBytesMax: 100, clock: () => now });
    const lines = Array.from({ length: 60 }, (_, no) => `line ${no}\n`);
    const write = async (from: number, to: number): Promise<void> => {
      for (const line of lines.slice(from, to)) await journal.append(line);
    };
    await write(0, 4);
    isFamine = true;
    await write(4, 40);
    // One file was open before the famine.
    expect(journal.stats().segments).toBeLessThanOrEqual(3);
    isFamine = false;
    now += 1000;
    await write(40, 60);
    expect(journal.stats().segments).toBeGreaterThan(4);
    await journal.close();
    const { lines: found, gaps } = await readContents(disk.contents());
    expect({ found, gaps, losses }).toEqual({ found: lines, gaps: 0, losses: [] });
  });

  test("takes away what killed processes of the same writer kept ready, and nothing else", async () => {
    const disk = new MemoryDisk();
    for (const name of ["n-0-7-0.spare", "n-0-9-0.spare", "n-1-3-0.spare", "note.spare"]) {
      await disk.files.create(`/journal/${name}`);
    }
    const { journal } = openOn(disk, { epoch: 8 });
    await journal.close();
    expect(disk.paths()).toEqual(["/journal/n-0-9-0.spare", "/journal/n-1-3-0.spare", "/journal/note.spare"]);
  });

  test("is followed by the next when it is full", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { segmentBytesMax: 100 });
    const lines = Array.from({ length: 12 }, (_, no) => `line ${no}\n`);
    for (const line of lines) await journal.append(line);
    await journal.close();
    const contents = disk.contents();
    expect([...contents.keys()]).toEqual(
      Array.from({ length: 3 }, (_, no) => `/journal/n-000-0000000001-${String(no).padStart(8, "0")}.log`),
    );
    for (const content of contents.values()) expect(content.length).toBeLessThan(200);
    const { lines: found, gaps } = await readContents(contents);
    expect({ found, gaps }).toEqual({ found: lines, gaps: 0 });
  });

  test("is ended when it is old, even when nobody clicks any more", async () => {
    const disk = new MemoryDisk();
    const { journal } = openOn(disk, { segmentAgeMsMax: 5 });
    await journal.append("a\n");
    while (disk.count("close") === 0) await nextTurn();
    expect([...disk.contents().values()].map(String)).toEqual([
      expect.stringMatching(/ 2 0 1 0\na\n.\w{8} 0 1 0 \d+\n$/),
    ]);
    await journal.append("b\n");
    expect(disk.contents().size).toBe(2);
    await journal.close();
  });

  test("never takes the place of a file that is there", async () => {
    const disk = new MemoryDisk();
    const before = openOn(disk);
    await before.journal.append("before\n");
    await before.journal.close();
    const { journal } = openOn(disk);
    await journal.append("after\n");
    await journal.close();
    expect((await readContents(disk.contents())).lines).toEqual(["before\n", "after\n"]);
  });
});

describe("bounds", () => {
  test("a small journal is cut into small segments, so that ingestion can make room in it", async () => {
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

  test("a full journal takes nothing until it has shrunk, whoever filled it", async () => {
    const disk = new MemoryDisk();
    const options = { bytesMax: 2000, measureIntervalMs: 1, segmentBytesMax: 500 };
    const writers = [0, 1].map((writer) => openOn(disk, { ...options, writer }));
    let offered = 0;
    const isFull = (): boolean => writers.every(({ losses }) => losses.length > 0);
    while (!isFull()) {
      for (const { journal } of writers) journal.append("0123456789012345678901234567890123456789\n");
      offered += 2;
      await nextTurn();
    }
    const lost = writers.flatMap(({ losses }) => losses);
    expect(new Set(lost.map(([reason]) => reason))).toEqual(new Set(["journal_full"]));
    expect(writers.map(({ journal }) => journal.append("x\n"))).toEqual([undefined, undefined]);
    const { lines } = await readContents(disk.contents());
    expect(lines.length + lost.length).toBe(offered);

    disk.clear();
    const [{ journal } = openOn(disk)] = writers;
    const { clicks } = journal.stats();
    while (journal.append("again\n") === undefined) await nextTurn();
    await Promise.all(writers.map((writer) => writer.journal.close()));
    expect(journal.stats().clicks).toBe(clicks + 1);
  });

  test("what a process wrote itself counts before anybody looks at the directory", async () => {
    const { journal, losses } = openOn(new MemoryDisk(), { bytesMax: 300, measureIntervalMs: 1_000_000 });
    for (let turn = 0; turn < 40; turn += 1) await journal.append("0123456789\n");
    await journal.close();
    expect(losses.length).toBeGreaterThan(25);
    expect(journal.stats()).toMatchObject({ clicks: 40 - losses.length, lost: { journal_full: losses.length } });
  });

  test("what is no line is refused, because one would spoil the load of many", () => {
    const { journal, losses } = openOn(new MemoryDisk());
    const bad = ["", "\n", "no end", "two\nlines\n", "a\x01b\n"];
    expect(bad.map((line) => journal.append(line))).toEqual(bad.map(() => undefined));
    expect(losses).toEqual(bad.map(() => ["bad_line", 1]));
    expect(journal.stats().lost.bad_line).toBe(bad.length);
  });

  test("a closed journal takes nothing, and closing it again is nothing new", async () => {
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

  test("a node cannot be named so that its files lie elsewhere", () => {
    for (const node of ["", "../x", "a/b", ".hidden", "a b", "x".repeat(65)]) {
      expect(() => openOn(new MemoryDisk(), { node })).toThrow("the name of a node");
    }
  });
});
