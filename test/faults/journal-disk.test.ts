import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWriter } from "#clicks/journal/fixtures/acknowledged-lines.ts";
import { readJournal } from "#clicks/journal/fixtures/read-journal.ts";
import { type LossReason, openJournalWriter } from "#clicks/journal/journal-writer.ts";
import type { Durability } from "#clicks/journal/segment-sync.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";

// Also of the disk: on a busy machine it may seem not to respond, and lines are then answered before they are lost.
const TIMEOUT_MS = 600_000;

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

test.each(["os", "interval", "always"] as const)(
  "with %s, a full disk loses the clicks of that time, all reported, and writing resumes once there is space",
  (durability) =>
    withSmallDisk(4, async (disk) => {
      const directory = join(disk.path, "journal");
      const losses: Partial<Record<LossReason, number>> = {};
      const journal = openJournalWriter({
        directory,
        node: "n",
        writer: 0,
        epoch: 1,
        durability,
        bytesMax: 1e9,
        segmentBytesMax: 30_000,
        diskTimeoutMs: TIMEOUT_MS,
        onLoss(reason, clicks) {
          losses[reason] = (losses[reason] ?? 0) + clicks;
        },
      });
      const kept: string[] = [];
      let offered = 0;
      const journalLines = async (turns: number): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) {
          const lines = Array.from({ length: 20 }, (_, no) => `${offered + no}\t${"x".repeat(100)}\n`);
          offered += lines.length;
          const before = losses.disk_full ?? 0;
          await Promise.all(lines.map((line) => journal.append(line)));
          if (before === (losses.disk_full ?? 0)) kept.push(...lines);
        }
      };

      await journalLines(40);
      expect(losses).toEqual({});
      disk.fill();
      await journalLines(100);
      const lost = losses.disk_full ?? 0;
      expect(lost).toBeGreaterThan(1000);
      disk.free();
      await journalLines(40);
      expect(losses).toEqual({ disk_full: lost });
      await journal.close();

      const { lines, skippedBytes, gaps } = await readJournal(directory);
      expect(lines).toEqual(kept);
      expect(kept.length + lost).toBe(offered);
      expect({ skippedBytes, gaps, ...journal.stats().lost }).toMatchObject({
        skippedBytes: 0,
        gaps: 0,
        disk_full: lost,
      });
    }),
  TIMEOUT_MS,
);

test("a writer that starts on a full disk loses clicks, reports them, and writes once there is space", () =>
  withSmallDisk(1, async (disk) => {
    disk.fill();
    const directory = join(disk.path, "journal");
    const losses: string[] = [];
    const options = { directory, node: "n", writer: 0, epoch: 1, durability: "interval", bytesMax: 1e9 } as const;
    const journal = openJournalWriter({
      ...options,
      diskTimeoutMs: TIMEOUT_MS,
      onLoss: (reason) => losses.push(reason),
    });
    for (let no = 0; no < 5; no += 1) await journal.append(`${no}\n`);
    expect(losses).toEqual(Array(5).fill("disk_full"));
    disk.free();
    await journal.append("with space\n");
    await journal.close();
    expect((await readJournal(directory)).lines).toEqual(["with space\n"]);
  }));

/** Runs a writer on a disk that keeps everything in memory until synced, and returns what a copy of it contains. */
async function cutPower(durability: Durability) {
  const root = mkdtempSync(join(tmpdir(), "kurz-journal-power-"));
  cleanUps.push(() => rmSync(root, { recursive: true }));
  const [image, mounted, copy, mountedCopy] = ["image", "disk", "copy", "disk-copy"].map((name) => join(root, name));
  const disk = `${mounted}`;
  const diskCopy = `${mountedCopy}`;
  mkdirSync(disk);
  mkdirSync(diskCopy);
  run("truncate", "-s", "64M", `${image}`);
  run("mkfs.ext4", "-q", "-F", "-m", "0", `${image}`);
  run("mount", "-o", "loop,commit=600", `${image}`, disk);
  cleanUps.push(() => run("umount", disk));
  const writer = startWriter(join(disk, "journal"), 1, durability);
  await writer.acknowledges(3000);
  process.kill(writer.pid, "SIGSTOP");
  run("cp", "--sparse=always", `${image}`, `${copy}`);
  const told = await writer.kill();
  run("mount", "-o", "loop", `${copy}`, diskCopy);
  cleanUps.push(() => run("umount", diskCopy));
  return { told, ...(await readJournal(join(diskCopy, "journal"))) };
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0)
    throw new Error(`this test needs root, to make a disk of its own: ${command.join(" ")}: ${stderr}`);
}

test(
  "with always, a power cut loses no acknowledged line; with os it does, which proves that this test can tell",
  async () => {
    const always = await cutPower("always");
    const left = new Set(always.lines);
    expect(always.told.length).toBeGreaterThan(100);
    expect(always.told.filter((line) => !left.has(line))).toEqual([]);
    expect(left.size).toBe(always.lines.length);

    const os = await cutPower("os");
    expect(os.lines.length).toBeLessThan(os.told.length);
  },
  TIMEOUT_MS,
);
