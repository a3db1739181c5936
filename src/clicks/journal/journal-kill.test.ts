import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWriter } from "./fixtures/acknowledged-lines.ts";
import { splitLines } from "./fixtures/read-journal.ts";
import { readSlice } from "./journal-reader.ts";
import type { Durability } from "./segment-sync.ts";
import { listSegments } from "./segments.ts";

const KILLS = 50;
const LINES_MAX = 200;
const EXTRA_MS_MAX = 10;
const TIMEOUT_MS = 600_000;
const durabilities: readonly Durability[] = ["os", "interval", "always"];

const directory = mkdtempSync(join(tmpdir(), "kurz-journal-kill-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Reads like ingestion: follows the writer slice by slice, and deletes what it has passed. */
function openReader() {
  const offsets = new Map<string, number>();
  const lines: string[] = [];
  let skippedBytes = 0;
  return {
    lines,
    skippedBytes: () => skippedBytes,
    async readOn(liveFromEpoch: number, clock = Date.now) {
      for (const segment of await listSegments(directory, { liveFromEpoch, clock })) {
        const slice = await readSlice(segment, offsets.get(segment.path) ?? 0, 10_000);
        lines.push(...splitLines(slice.payload));
        skippedBytes += slice.skippedBytes;
        offsets.set(segment.path, slice.toOffset);
        if (slice.state === "end" || slice.state === "torn") rmSync(segment.path);
      }
    },
  };
}

test(
  "a writer that is killed fifty times loses no acknowledged line, and its reader duplicates none",
  async () => {
    const reader = openReader();
    const told: string[] = [];
    for (let epoch = 1; epoch <= KILLS; epoch += 1) {
      const writer = startWriter(directory, epoch, durabilities[epoch % durabilities.length] ?? "os");
      let killAt = Number.POSITIVE_INFINITY;
      const acknowledged = writer.acknowledges(Math.ceil(Math.random() * LINES_MAX)).finally(() => {
        killAt = performance.now() + Math.random() * EXTRA_MS_MAX;
      });
      while (performance.now() < killAt) await reader.readOn(epoch);
      await acknowledged;
      told.push(...(await writer.kill()));
    }
    const inAnHour = (): number => Date.now() + 3_600_000;
    while ((await listSegments(directory, { liveFromEpoch: 0 })).length > 0) {
      await reader.readOn(Number.POSITIVE_INFINITY, inAnHour);
    }

    const read = new Set(reader.lines);
    expect(told.length).toBeGreaterThan(KILLS);
    expect(told.filter((line) => !read.has(line))).toEqual([]);
    expect(reader.lines.length).toBe(read.size);
    expect(reader.skippedBytes()).toBe(0);
    process.stderr.write(`${KILLS} kills: ${told.length} told, ${read.size - told.length} journaled but not told\n`);
  },
  TIMEOUT_MS,
);
