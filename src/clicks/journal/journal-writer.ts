import type { Clock } from "#kernel/clock.ts";
import { BLOCK_CHARS_MAX } from "./journal-block.ts";
import { type JournalFiles, realFiles } from "./journal-files.ts";
import { openJournalRoom } from "./journal-room.ts";
import { openSegmentLog, type WriteFailure } from "./segment-log.ts";
import { isNodeName } from "./segment-name.ts";
import { type Durability, openSegmentSync } from "./segment-sync.ts";

/** Why a click was not journaled. */
export type LossReason = WriteFailure["reason"] | "journal_full" | "buffer_full" | "bad_line" | "closed";

export interface JournalWriterOptions {
  readonly directory: string;
  readonly node: string;
  readonly writer: number;
  readonly epoch: number;
  readonly durability: Durability;
  /** For the segments of all processes together. */
  readonly bytesMax: number;
  readonly segmentBytesMax?: number;
  readonly segmentAgeMsMax?: number;
  readonly syncIntervalMs?: number;
  readonly measureIntervalMs?: number;
  /** Told of every loss before the answers go out, with the error of the disk where there is one; must not throw. */
  readonly onLoss: (reason: LossReason, clicks: number, error?: unknown) => void;
  /** Clicks may be lost in a power cut although they should not; must not throw. */
  readonly onSyncFailure?: (error: unknown) => void;
  readonly files?: JournalFiles;
  /** Only differences count, so it had better not jump. */
  readonly clock?: Clock;
}

export interface JournalStats {
  readonly clicks: number;
  readonly waitingClicks: number;
  readonly lost: Readonly<Record<LossReason, number>>;
  readonly segments: number;
  /** The journal of all processes, as far as this one knows. */
  readonly journalBytes: number;
  readonly syncs: number;
  readonly syncFailures: number;
  /** Written, but the disk failed to confirm it. */
  readonly clicksInDoubt: number;
}

export interface JournalWriter {
  /**
   * Takes one line, its line feed included. The promise is fulfilled when the answer may go out, also when the line was
   * lost; nothing is returned when there is nothing to wait for.
   */
  append(line: string): Promise<void> | undefined;
  stats(): JournalStats;
  /** Writes what is waiting and ends the segment; lines that come later are lost. */
  close(): Promise<void>;
}

const SEGMENT_BYTES_MAX = 16 * 1024 * 1024;
// Room comes back with whole segments only: those that are being written must leave most of a small journal to others.
const SEGMENT_SHARE = 1 / 32;
const SEGMENT_AGE_MS_MAX = 60_000;
const SYNC_INTERVAL_MS = 100;
const MEASURE_INTERVAL_MS = 1000;

/** The journal of one process. It is opened without touching the disk: redirects start on a full one, too. */
export function openJournalWriter(options: JournalWriterOptions): JournalWriter {
  const { directory, node, writer, epoch, durability, bytesMax, onLoss } = options;
  if (!isNodeName(node)) throw new Error(`the name of a node cannot be "${node}"`);
  const { files = realFiles, clock = () => performance.now() } = options;
  const room = openJournalRoom({
    directory,
    bytesMax,
    measureIntervalMs: options.measureIntervalMs ?? MEASURE_INTERVAL_MS,
    files,
  });
  const log = openSegmentLog({
    directory,
    node,
    writer,
    epoch,
    segmentBytesMax: options.segmentBytesMax ?? Math.min(SEGMENT_BYTES_MAX, bytesMax * SEGMENT_SHARE),
    segmentAgeMsMax: options.segmentAgeMsMax ?? SEGMENT_AGE_MS_MAX,
    files,
    clock,
    retire: (segment) => sync.retire(segment),
  });
  const sync = openSegmentSync({
    directory,
    durability,
    intervalMs: options.syncIntervalMs ?? SYNC_INTERVAL_MS,
    files,
    clock,
    current: log.current,
    onFailure(segment, error) {
      log.abandon(segment);
      options.onSyncFailure?.(error);
    },
  });
  const lost = { disk_full: 0, write_failed: 0, journal_full: 0, buffer_full: 0, bad_line: 0, closed: 0 };
  let lines = "";
  let waitingClicks = 0;
  let clicks = 0;
  let written: Promise<void> | undefined;
  let answer = (): void => {};
  let committing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  function append(line: string): Promise<void> | undefined {
    const reason = findRefusal(line);
    if (reason !== undefined) {
      lose(reason, 1);
      return undefined;
    }
    lines += line;
    waitingClicks += 1;
    if (written === undefined) {
      written = new Promise((resolve) => {
        answer = resolve;
      });
      // Everything that this turn of the event loop brings goes into one block.
      if (committing === undefined) setImmediate(flush);
    }
    return written;
  }

  function findRefusal(line: string): LossReason | undefined {
    if (closing !== undefined) return "closed";
    if (!isLine(line)) return "bad_line";
    if (lines.length + line.length > BLOCK_CHARS_MAX) return "buffer_full";
    return room.hasRoom() ? undefined : "journal_full";
  }

  function lose(reason: LossReason, count: number, error?: unknown): void {
    lost[reason] += count;
    onLoss(reason, count, error);
  }

  function flush(): void {
    if (waitingClicks === 0 || committing !== undefined) return;
    const batch = { lines, clicks: waitingClicks, answer };
    lines = "";
    waitingClicks = 0;
    written = undefined;
    let isWritten = false;
    try {
      isWritten = write(batch.lines, batch.clicks);
    } finally {
      if (isWritten && durability === "always") committing = commit(batch.answer);
      else batch.answer();
    }
  }

  function write(batch: string, count: number): boolean {
    const bytesBefore = log.bytes();
    const failure = log.append(batch, count);
    if (failure !== undefined) {
      lose(failure.reason, count, failure.error);
      return false;
    }
    clicks += count;
    room.add(log.bytes() - bytesBefore);
    if (durability === "interval") sync.request();
    return true;
  }

  /** Lines that come while the disk is at work wait together for the next commit. */
  async function commit(answerBatch: () => void): Promise<void> {
    await sync.syncNow();
    committing = undefined;
    answerBatch();
    flush();
  }

  async function close(): Promise<void> {
    flush();
    while (committing !== undefined) await committing;
    log.seal();
    room.close();
    await sync.finish();
  }

  return {
    append,
    stats: () => ({
      clicks,
      waitingClicks,
      lost: { ...lost },
      segments: log.segments(),
      journalBytes: room.bytes(),
      ...sync.stats(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Bulk loading stumbles over anything else, and readers find blocks by a byte that no line holds. */
const isLine = (line: string): boolean =>
  line.length > 1 && line.indexOf("\n") === line.length - 1 && !line.includes("\x01");
