import { expect, test } from "bun:test";
import { seededRandom } from "#kernel/seeded-random.ts";
import { type Fault, MemoryDisk, type Operation } from "./fixtures/memory-disk.ts";
import { readContents } from "./fixtures/read-journal.ts";
import { type LossReason, openJournalWriter } from "./journal-writer.ts";
import type { Durability } from "./segment-sync.ts";

const CALLS_MAX = 300;
const TURN_MS = 20;
const SEGMENT_BYTES = 120;
const TIMEOUT_MS = 600_000;

const durabilities: readonly Durability[] = ["os", "interval", "always"];

/** Each starts at the call with a given number. */
const faults: Readonly<Record<string, (callsAfter: number) => Fault | undefined>> = {
  "one EIO": (after) => (after === 0 ? { code: "EIO" } : undefined),
  "one ENOSPC": (after) => (after === 0 ? { code: "ENOSPC" } : undefined),
  "one short write": (after) => (after === 0 ? { writtenShare: 0.5 } : undefined),
  "one write of nothing": (after) => (after === 0 ? { writtenShare: 0 } : undefined),
  "a short write, then ENOSPC": (after) => (after < 2 ? shortThenFull[after] : undefined),
  "EIO in the middle of a write": (after) => (after === 0 ? { code: "EIO", writtenShare: 0.6 } : undefined),
  "EIO nine times": (after) => (after < 9 ? { code: "EIO", writtenShare: 0.4 } : undefined),
  "ENOSPC nine times": (after) => (after < 9 ? { code: "ENOSPC", writtenShare: 0.4 } : undefined),
};
const shortThenFull: readonly Fault[] = [{ writtenShare: 0.7 }, { code: "ENOSPC" }];

/** Writes a few lines per iteration until the disk was called this many times, and returns what happened to each. */
async function writeUntil(disk: MemoryDisk, durability: Durability, isEnough: (turn: number) => boolean) {
  let now = 0;
  let reported = 0;
  const written: string[] = [];
  const journal = openJournalWriter({
    directory: "/journal",
    node: "n",
    writer: 0,
    epoch: 1,
    durability,
    bytesMax: 1e9,
    segmentBytesMax: SEGMENT_BYTES,
    syncIntervalMs: 0,
    diskTimeoutMs: 600_000,
    files: disk.files,
    clock: () => now,
    onLoss: (_: LossReason, clicks: number) => {
      reported += clicks;
    },
  });
  let offered = 0;
  for (let turn = 0; !isEnough(turn); turn += 1) {
    const lines = Array.from({ length: 1 + (turn % 3) }, (_, no) => `${turn}\t${no}\tsome text\n`);
    offered += lines.length;
    now += TURN_MS;
    const before = reported;
    await Promise.all(lines.map((line) => journal.append(line)));
    if (reported === before) written.push(...lines);
    else expect(reported - before).toBe(lines.length);
  }
  return { journal, written, lost: () => reported, offered };
}

for (const durability of durabilities) {
  for (const [name, faultAfter] of Object.entries(faults)) {
    test(
      `with ${durability} and ${name} at any call, each line is in the journal once or reported lost`,
      async () => {
        let lostInAll = 0;
        for (let first = 1; first <= CALLS_MAX; first += 1) {
          const disk = new MemoryDisk((call) => (call < first ? undefined : faultAfter(call - first)));
          const isEnough = (): boolean => disk.calls.length > first + 20 && disk.calls.length % 3 === 0;
          const { journal, written, lost, offered } = await writeUntil(disk, durability, isEnough);
          await journal.close();
          const { lines, skippedBytes, gaps } = await readContents(disk.contents());
          expect(lines).toEqual(written);
          expect(written.length + lost()).toBe(offered);
          expect(journal.stats().clicks).toBe(written.length);
          expect(disk.syncingMax).toBeLessThanOrEqual(1);
          const wrong = { skippedBytes, gaps, misuses: disk.misuses };
          expect({ first, ...wrong }).toEqual({ first, skippedBytes: 0, gaps: 0, misuses: 0 });
          lostInAll += lost();
        }
        expect(lostInAll > 0).toBe(name !== "one short write");
      },
      TIMEOUT_MS,
    );
  }
}

test("a disk that fails after a complete write, and can't truncate, makes no line count twice", async () => {
  for (let first = 1; first <= 60; first += 1) {
    const isBroken = (call: number): boolean => call >= first && call < first + 2;
    const disk = new MemoryDisk((call) => (isBroken(call) ? { code: "EIO", writtenShare: 1 } : undefined));
    const { journal, written } = await writeUntil(disk, "os", () => disk.calls.length > first + 20);
    await journal.close();
    const { lines } = await readContents(disk.contents());
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toEqual(expect.arrayContaining(written));
  }
});

test(
  "with always, a power cut at any moment loses no answered click",
  async () => {
    const seed = Date.now();
    const random = seededRandom(seed);
    for (let run = 0; run < 300; run += 1) {
      const disk = new MemoryDisk();
      const calls = 1 + Math.floor(random() * 200);
      const { written } = await writeUntil(disk, "always", () => disk.calls.length >= calls);
      const { lines } = await readContents(disk.contentsAfterPowerCut(random));
      const left = new Set(lines);
      expect({ seed, run, lost: written.filter((line) => !left.has(line)) }).toEqual({ seed, run, lost: [] });
      expect(left.size).toBe(lines.length);
    }
  },
  TIMEOUT_MS,
);

test("with interval, a power cut loses only clicks after the last sync", async () => {
  const disk = new MemoryDisk();
  const { written } = await writeUntil(disk, "interval", () => disk.count("sync") >= 3);
  // Unsynced data and unsynced names are gone.
  const { lines } = await readContents(disk.contentsAfterPowerCut(() => 0));
  expect(lines.length).toBeGreaterThan(0);
  expect(written.slice(0, lines.length)).toEqual(lines);
});

test.each(durabilities)(
  "with %s, a disk that stays broken doesn't fill up with started segments",
  async (durability) => {
    const broken: Fault = { code: "EIO", writtenShare: 0.5 };
    const isBroken = (operation: Operation): boolean => operation === "write" || operation === "truncate";
    const disk = new MemoryDisk((_, operation) => (isBroken(operation) ? broken : undefined));
    const { journal, lost, offered } = await writeUntil(disk, durability, (turn) => turn >= 500);
    expect(lost()).toBe(offered);
    // One for each tenth of a second.
    expect(journal.stats().segments).toBeLessThanOrEqual((500 * TURN_MS) / 100 + 1);
    await journal.close();
  },
);

test.each(["interval", "always"] as const)(
  "with %s, a disk that can't sync still gets the clicks, in few segments, and they count as in doubt",
  async (durability) => {
    const disk = new MemoryDisk((_, operation) => (operation === "sync" ? { code: "EIO" } : undefined));
    const { journal, lost, offered } = await writeUntil(disk, durability, (turn) => turn >= 500);
    await journal.close();
    expect({ lost: lost(), inDoubt: journal.stats().clicksInDoubt }).toEqual({ lost: 0, inDoubt: offered });
    expect((await readContents(disk.contents())).lines.length).toBe(offered);
    // One a second, plus those that were full.
    const bytes = [...disk.contents().values()].reduce((sum, content) => sum + content.length, 0);
    expect(journal.stats().segments).toBeLessThanOrEqual((500 * TURN_MS) / 1000 + bytes / SEGMENT_BYTES + 2);
  },
);
