import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realFiles } from "#clicks/journal/journal-files.ts";
import { openSegmentLog } from "#clicks/journal/segment-log.ts";
import { benchClicks } from "./data/bench-clicks.ts";

/** Longer than writing them takes: no segment is closed before it is full. */
const HOUR_MS = 3_600_000;

/** Writes clicks into a journal that nobody reads, and measures its files. */
export async function bytesPerJournalledClick(count: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-bench-journal-"));
  try {
    const log = openSegmentLog({
      directory,
      node: "bench",
      writer: 0,
      epoch: 0,
      segmentBytesMax: 8 * 1024 * 1024,
      segmentAgeMsMax: HOUR_MS,
      files: realFiles,
      clock: () => performance.now(),
      retire({ fd }) {
        realFiles.close(fd).catch(() => {});
      },
    });
    let written = 0;
    for (const { lines, uses, clicks, botHits } of benchClicks(count, 1)) {
      const failure = await log.append({ lines, uses, clicks: clicks + botHits });
      if (failure) throw failure.error;
      written += clicks + botHits;
    }
    await log.seal();
    await log.close();
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    return sizes.reduce((sum, size) => sum + size, 0) / written;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
