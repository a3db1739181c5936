import { describe, expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { MemoryDisk } from "./fixtures/memory-disk.ts";
import { isPending, openOn } from "./fixtures/open-journal.ts";
import { readContents } from "./fixtures/read-journal.ts";
import { LossTally } from "./loss-tally.ts";

describe("on a disk that doesn't respond", () => {
  const lineNo = (no: number): string => `line ${no}\n`;

  test.each(["os", "interval"] as const)(
    "with %s, an answer is delayed only briefly; clicks wait in memory and are written in order, once",
    async (durability) => {
      const disk = new MemoryDisk();
      const tally = new LossTally();
      const told: string[] = [];
      const { journal, losses } = openOn(disk, {
        durability,
        tally,
        diskTimeoutMs: 10,
        onStall: () => told.push("stall"),
        onStallEnd: (clicks) => told.push(`end ${clicks}`),
      });
      await journal.append(lineNo(0));
      const thaw = disk.freeze();
      const first = journal.append(lineNo(1));
      expect(await isPending(first)).toBe(true);
      await first;
      // The number of clicks that a kill would lose is recorded before the answer is sent.
      expect({ told, unwritten: tally.unwritten }).toEqual({ told: ["stall"], unwritten: 1 });
      for (let no = 2; no < 50; no += 1) expect(journal.append(lineNo(no))).toBeUndefined();
      expect(tally.unwritten).toBe(49);
      expect(journal.stats()).toMatchObject({ clicks: 1, waitingClicks: 49, earlyClicks: 49 });
      thaw();
      await until("the journal has written everything", () => tally.unwritten === 0);
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
    const { journal } = openOn(disk, { durability: "always", diskTimeoutMs: 2, onStall: () => told.push("stall") });
    const thaw = disk.freeze();
    const waits = [journal.append(lineNo(0))];
    await until("the stall is reported", () => told.length > 0);
    waits.push(journal.append(lineNo(1)));
    for (const wait of waits) expect(await isPending(wait)).toBe(true);
    thaw();
    await Promise.all(waits);
    expect(disk.count("sync")).toBeGreaterThan(0);
    await journal.close();
  });

  test("no more memory is used than allowed, and every lost click is reported", async () => {
    const disk = new MemoryDisk();
    const tally = new LossTally();
    const { journal, losses } = openOn(disk, { diskTimeoutMs: 2, tally, waitingBytesMax: 1_000_000 });
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

  test("that fails in the end, exactly the waiting clicks are lost and reported", async () => {
    let isBroken = false;
    const disk = new MemoryDisk((_, operation) => (isBroken && operation === "write" ? { code: "EIO" } : undefined));
    const tally = new LossTally();
    const { journal } = openOn(disk, { diskTimeoutMs: 2, tally });
    const thaw = disk.freeze();
    await journal.append(lineNo(0));
    journal.append(lineNo(1));
    isBroken = true;
    thaw();
    await until("nothing is waiting", () => tally.unwritten === 0);
    expect(tally.lost).toMatchObject({ write_failed: 2 });
    await journal.close();
  });
});
