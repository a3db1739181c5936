import type { Clock } from "#kernel/clock.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { watchForStalls } from "#kernel/stall-watch.ts";
import type { Definition } from "./definitions.ts";
import { type JournalFiles, realFiles } from "./journal-files.ts";
import { openJournalQuota } from "./journal-quota.ts";
import { type Losses, type LossReason, LossTally } from "./loss-tally.ts";
import { openSegmentLog } from "./segment-log.ts";
import { isNodeName } from "./segment-name.ts";
import { type Durability, openSegmentSync } from "./segment-sync.ts";
import { type Batch, WaitingClicks } from "./waiting-clicks.ts";

export type { LossReason } from "./loss-tally.ts";

export interface JournalWriterOptions {
  readonly directory: string;
  readonly node: string;
  readonly writer: number;
  readonly epoch: number;
  readonly durability: Durability;
  /** The limit for the segments of all processes together. */
  readonly bytesMax: number;
  readonly segmentBytesMax?: number;
  readonly segmentAgeMsMax?: number;
  readonly syncIntervalMs?: number;
  readonly measureIntervalMs?: number;
  /** How much may be buffered in memory while the disk is slow. */
  readonly waitingBytesMax?: number;
  /** How long an answer waits for a disk that doesn't respond, unless durability is `always`. */
  readonly diskTimeoutMs?: number;
  /** In memory that outlives this process, so its losses are known even if it is killed. */
  readonly tally?: LossTally;
  /** Called for every loss before the answers are sent, with the disk error if there is one; must not throw. */
  readonly onLoss: (reason: LossReason, clicks: number, error?: unknown) => void;
  /** A sync failed, so a power cut may lose clicks that should be safe; must not throw. */
  readonly onSyncFailure?: (error: unknown) => void;
  /** The disk doesn't respond. Clicks wait in memory, and unless durability is `always`, are answered; must not throw. */
  readonly onStall?: () => void;
  /** The disk responds again. `earlyClicks` were answered before they were written; must not throw. */
  readonly onStallEnd?: (earlyClicks: number) => void;
  readonly files?: JournalFiles;
  /** Should be monotonic: only differences matter. */
  readonly clock?: Clock;
}

export interface JournalStats {
  readonly clicks: number;
  /** Accepted, but not in the journal yet. */
  readonly waitingClicks: number;
  /** Answered before they were in the journal, because the disk didn't respond. */
  readonly earlyClicks: number;
  readonly lost: Losses;
  readonly segments: number;
  /** The journal size of all processes, as far as this one knows. */
  readonly journalBytes: number;
  readonly syncs: number;
  readonly syncFailures: number;
  /** Written, but the sync failed. */
  readonly clicksInDoubt: number;
}

export interface JournalWriter {
  /**
   * Appends one line, including its line feed, that refers to some texts. The promise is fulfilled when the answer may be
   * sent, even if the line was lost; returns nothing if there is nothing to wait for.
   */
  append(line: string, uses?: readonly Definition[]): Promise<void> | undefined;
  stats(): JournalStats;
  /** Writes what is waiting and ends the segment; later lines are lost. */
  close(): Promise<void>;
}

const NONE: readonly Definition[] = [];
const SEGMENT_BYTES_MAX = 16 * 1024 * 1024;
// Only whole segments free space, so the ones being written must be a small part of a small journal.
const SEGMENT_SHARE = 1 / 32;
const SEGMENT_AGE_MS_MAX = 60_000;
const SYNC_INTERVAL_MS = 100;
const MEASURE_INTERVAL_MS = 1000;
// Ten seconds of clicks at the maximum rate of one process.
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const BLOCK_CHARS_MAX = 256 * 1024;
const DISK_TIMEOUT_MS = 50;
// Fewer clicks than this are written right away, and more gain nothing from waiting.
const GATHERED_CLICKS_MIN = 4;
const GATHERED_CLICKS_MAX = 64;
const GATHERING_MS = 0.3;

/** The journal of one process. Opening it doesn't wait for the disk: redirects start even if it is full. */
export function openJournalWriter(options: JournalWriterOptions): JournalWriter {
  const { directory, node, writer, epoch, durability, bytesMax, onLoss } = options;
  if (!isNodeName(node)) throw new Error(`invalid node name "${node}"`);
  const { files = realFiles, clock = () => performance.now(), tally = new LossTally() } = options;
  const quota = openJournalQuota({
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
    onDue: wake,
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
  const waiting = new WaitingClicks({
    charsMax: BLOCK_CHARS_MAX,
    bytesMax: options.waitingBytesMax ?? WAITING_BYTES_MAX,
  });
  const watch = watchForStalls(options.diskTimeoutMs ?? DISK_TIMEOUT_MS, onStall);
  const waitsForDisk = durability === "always";
  const prepared = Promise.all([log.prepare(), sync.prepare()]);
  let underWay: Batch | undefined;
  let isAwake = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let isStalled = false;
  let clicks = 0;
  let earlyClicks = 0;
  let earlyBeforeStall = 0;
  let running = Promise.resolve();
  let closing: Promise<void> | undefined;

  function append(line: string, uses: readonly Definition[] = NONE): Promise<void> | undefined {
    const reason = findRefusal(line);
    if (reason !== undefined) {
      lose(reason, 1);
      return undefined;
    }
    const isEarly = isStalled && !waitsForDisk;
    if (isEarly) addEarly(1);
    const written = waiting.add(line, uses, isEarly);
    if (!isAwake) wake();
    return written;
  }

  function findRefusal(line: string): LossReason | undefined {
    if (closing !== undefined) return "closed";
    if (!isLine(line)) return "bad_line";
    if (!waiting.hasRoomFor(line)) return "buffer_full";
    return quota.hasRoom(waiting.bytes) ? undefined : "journal_full";
  }

  function lose(reason: LossReason, count: number, error?: unknown): void {
    tally.lose(reason, count);
    onLoss(reason, count, error);
  }

  function addEarly(count: number): void {
    tally.addUnwritten(count);
    earlyClicks += count;
  }

  /** Everything that arrives in one event loop iteration, or while a block is being written, shares the next block. */
  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    setImmediate(startWriting);
  }

  function startWriting(): void {
    if (isGathering()) setImmediate(startWriting);
    else running = writeWaiting();
  }

  /**
   * Under load, the clients that were just answered ask again within moments. Waiting for them makes fewer, larger
   * blocks, and a hop to another thread costs the same for any block.
   */
  function isGathering(): boolean {
    const count = waiting.clicks;
    if (count < GATHERED_CLICKS_MIN || count > GATHERED_CLICKS_MAX || closing !== undefined) return false;
    return clock() - writtenAt < GATHERING_MS;
  }

  async function writeWaiting(): Promise<void> {
    const batch = waiting.take();
    try {
      if (batch === undefined) await log.endDue();
      else await write(batch);
    } finally {
      isAwake = false;
      writtenAt = clock();
      if (waiting.clicks > 0) wake();
    }
  }

  async function write(batch: Batch): Promise<void> {
    // From now on clicks only wait for the next block.
    if (isStalled && waiting.isLast) endStall();
    underWay = batch;
    watch.begin();
    const bytesBefore = log.bytes();
    const failure = await log.append(batch);
    if (failure === undefined) {
      clicks += batch.clicks;
      quota.add(log.bytes() - bytesBefore);
      if (durability === "interval") sync.request();
      if (waitsForDisk) await sync.syncNow();
    } else lose(failure.reason, batch.clicks, failure.error);
    watch.end();
    underWay = undefined;
    if (batch.isEarly) tally.addUnwritten(-batch.clicks);
    else batch.answer();
    if (isStalled && waiting.clicks === 0) endStall();
  }

  /** Unless durability is `always`, answers don't wait for a disk that doesn't respond. */
  function onStall(): void {
    if (underWay === undefined) return;
    if (!isStalled) {
      isStalled = true;
      earlyBeforeStall = earlyClicks;
      options.onStall?.();
    }
    if (waitsForDisk) return;
    let released = waiting.release();
    if (!underWay.isEarly) {
      underWay.isEarly = true;
      released += underWay.clicks;
      underWay.answer();
    }
    addEarly(released);
  }

  function endStall(): void {
    isStalled = false;
    options.onStallEnd?.(earlyClicks - earlyBeforeStall);
  }

  async function close(): Promise<void> {
    while (isAwake || waiting.clicks > 0) {
      await nextTurn();
      await running;
    }
    watch.stop();
    await prepared;
    await log.seal();
    await log.close();
    quota.close();
    await sync.finish();
  }

  return {
    append,
    stats: () => ({
      clicks,
      waitingClicks: waiting.clicks + (underWay?.clicks ?? 0),
      earlyClicks,
      lost: tally.lost,
      segments: log.segments(),
      journalBytes: quota.bytes(),
      ...sync.stats(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Anything else would break bulk loading, and readers find blocks by a byte that no line contains. */
const isLine = (line: string): boolean =>
  line.length > 1 && line.indexOf("\n") === line.length - 1 && !line.includes("\x01");
