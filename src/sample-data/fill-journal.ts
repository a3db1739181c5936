import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { realFiles } from "#clicks/journal/journal-files.ts";
import { openSegmentLog } from "#clicks/journal/segment-log.ts";
import { undefinedIfMissing } from "#kernel/error-codes.ts";
import { newUlid } from "#kernel/ids.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import type { ClickLines } from "./click-lines.ts";

interface Options {
  readonly directory: string;
  /** The limit of the whole journal: sample clicks use a small part of it, which leaves room for real ones. */
  readonly journalBytesMax: number;
  readonly signal: AbortSignal;
  readonly onProgress: (clicks: number) => void;
  /** How long ingestion may make no progress. */
  readonly stalledMsMax?: number;
}

export interface Filled {
  readonly clicks: number;
  readonly botHits: number;
}

const WAITING_BYTES_MAX = 32 * 1024 * 1024;
const SEGMENTS_WAITING = 4;
// A backup keeps segments in place until it has copied them.
const STALLED_MS_MAX = 600_000;
const POLL_MS = 25;
const HOUR_MS = 3_600_000;
// Ingestion considers a segment of a dead process complete if nothing was added to it for two seconds.
const IDLE_MS_MAX = 1000;

/** Writes clicks to the journal under a separate node name, and waits until all of them are ingested. */
export async function fillJournal(
  chunks: Iterable<ClickLines> | AsyncIterable<ClickLines>,
  options: Options,
): Promise<Filled> {
  const { directory, journalBytesMax, signal, onProgress } = options;
  const waitingMax = Math.min(WAITING_BYTES_MAX, journalBytesMax / 4);
  // The name is unique, so epoch 0, which belongs to dead processes, is free.
  const node = `made-${newUlid()}`;
  const log = openSegmentLog({
    directory,
    node,
    writer: 0,
    epoch: 0,
    segmentBytesMax: waitingMax / SEGMENTS_WAITING,
    segmentAgeMsMax: HOUR_MS,
    files: realFiles,
    clock: () => performance.now(),
    retire({ fd }) {
      realFiles.close(fd).catch(() => {});
    },
  });
  const filled = { clicks: 0, botHits: 0 };
  let segments = 0;
  let writingMs = performance.now();
  try {
    for await (const { lines, uses, clicks, botHits } of chunks) {
      if (performance.now() - writingMs > IDLE_MS_MAX) await log.seal();
      // Before it, as ingestion counts from the write, and the disk may take seconds to confirm that.
      writingMs = performance.now();
      const failure = await log.append({ lines, uses, clicks: clicks + botHits });
      if (failure) throw failure.error;
      filled.clicks += clicks;
      filled.botHits += botHits;
      onProgress(filled.clicks);
      await nextTurn();
      signal.throwIfAborted();
      if (log.segments() === segments) continue;
      segments = log.segments();
      await waitForIngestion(directory, node, waitingMax, options);
    }
  } finally {
    await log.seal();
    await log.close();
    await backdateSegments(directory, node);
  }
  await waitForIngestion(directory, node, 0, options);
  return filled;
}

/** Waits until the node has at most `bytesMax` left in the journal. */
async function waitForIngestion(directory: string, node: string, bytesMax: number, options: Options): Promise<void> {
  const { signal, stalledMsMax = STALLED_MS_MAX } = options;
  let least = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    signal.throwIfAborted();
    const waiting = await waitingBytes(directory, node);
    if (waiting <= bytesMax) return;
    if (waiting < least) deadline = performance.now() + stalledMsMax;
    least = Math.min(least, waiting);
    if (performance.now() > deadline) {
      throw new Error("the clicks are in the journal but are not being ingested; see the server log");
    }
    await Bun.sleep(POLL_MS);
  }
}

async function waitingBytes(directory: string, node: string): Promise<number> {
  const sizes = (await pathsOf(directory, node)).map(
    async (path) => (await stat(path).catch(undefinedIfMissing))?.size ?? 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Nothing more will be added to them, so ingestion needn't wait to see whether they are complete. */
async function backdateSegments(directory: string, node: string): Promise<void> {
  for (const path of await pathsOf(directory, node)) await utimes(path, 0, 0).catch(undefinedIfMissing);
}

async function pathsOf(directory: string, node: string): Promise<string[]> {
  const names = (await readdir(directory).catch(undefinedIfMissing)) ?? [];
  return names.filter((name) => name.startsWith(node)).map((name) => join(directory, name));
}
