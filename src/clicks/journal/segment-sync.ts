import type { Clock } from "#kernel/clock.ts";
import type { JournalFiles } from "./journal-files.ts";
import type { OpenSegment } from "./segment-log.ts";

/** What an answered click survives: a killed process; a power cut, unless it was just written; or any power cut. */
export type Durability = "os" | "interval" | "always";

export interface SegmentSyncOptions {
  readonly directory: string;
  readonly durability: Durability;
  readonly intervalMs: number;
  readonly files: JournalFiles;
  readonly clock: Clock;
  readonly current: () => OpenSegment | undefined;
  /** Nothing more may be written to this segment. */
  readonly onFailure: (segment: OpenSegment, error: unknown) => void;
}

const FAILURES_IN_A_ROW_MAX = 2;
// Limits how many segments are started and abandoned on a disk that can't sync any more.
const REST_MS = 1000;

/** Syncs segments and closes retired ones: one sync at a time, without blocking the event loop. */
export function openSegmentSync(options: SegmentSyncOptions) {
  const { directory, durability, intervalMs, files, clock, current, onFailure } = options;
  const retired: OpenSegment[] = [];
  const closing = new Set<Promise<void>>();
  let names: Promise<number> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let syncs = 0;
  let failures = 0;
  let failuresInARow = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  let clicksInDoubt = 0;

  /** A file is never synced again after a failure: the kernel may have dropped the data, and would report success. */
  async function sync(segment: OpenSegment): Promise<void> {
    const clicks = segment.unsyncedClicks;
    try {
      await files.sync(segment.fd);
      if (!segment.isNameSynced) await files.syncDirectory(await openNames());
      segment.isNameSynced = true;
      segment.unsyncedClicks -= clicks;
      syncs += 1;
      failuresInARow = 0;
    } catch (error) {
      failures += 1;
      failuresInARow += 1;
      if (failuresInARow >= FAILURES_IN_A_ROW_MAX) restUntil = clock() + REST_MS;
      segment.hasFailedToSync = true;
      onFailure(segment, error);
    }
  }

  /** The directory stays open: it couldn't be opened once file descriptors run out. */
  function openNames(): Promise<number> {
    names ??= files.openDirectory(directory).catch((error: unknown) => {
      names = undefined;
      throw error;
    });
    return names;
  }

  async function runRound(): Promise<void> {
    for (let segment = retired.shift(); segment !== undefined; segment = retired.shift()) {
      if (segment.unsyncedClicks > 0 && !segment.hasFailedToSync) await sync(segment);
      close(segment);
    }
    const segment = current();
    if (segment !== undefined && segment.unsyncedClicks > 0 && clock() >= restUntil) await sync(segment);
  }

  function startRound(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const startedAt = clock();
    running = runRound().then(() => {
      running = undefined;
      if (retired.length > 0 || (durability === "interval" && current()?.unsyncedClicks)) {
        request(intervalMs - (clock() - startedAt));
      }
    });
    return running;
  }

  function request(afterMs: number): void {
    if (timer !== undefined || running !== undefined) return;
    timer = setTimeout(startRound, Math.min(Math.max(afterMs, 0), intervalMs));
    timer.unref();
  }

  /** Only `finish` waits for it. Errors are ignored: the descriptor is gone either way. */
  function close(segment: OpenSegment): void {
    if (durability !== "os") clicksInDoubt += segment.unsyncedClicks;
    closeFile(segment.fd);
  }

  function closeFile(fd: number): void {
    const closed: Promise<void> = files
      .close(fd)
      .catch(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function syncNow(): Promise<void> {
    while (running !== undefined) await running;
    await startRound();
  }

  return {
    /** Opens what a sync needs. If that fails, it is tried again when needed. */
    async prepare(): Promise<void> {
      if (durability !== "os") await openNames().catch(() => {});
    },
    /** Requests a sync within the interval. */
    request: () => request(intervalMs),
    /** Waits for a sync that starts after this call. */
    syncNow,
    retire(segment: OpenSegment): void {
      if (durability === "os") {
        close(segment);
      } else {
        retired.push(segment);
        request(intervalMs);
      }
    },
    async finish(): Promise<void> {
      while (running !== undefined || retired.length > 0) await syncNow();
      clearTimeout(timer);
      await names?.then(closeFile, () => {});
      await Promise.all(closing);
    },
    stats: () => ({ syncs, syncFailures: failures, clicksInDoubt }),
  };
}
