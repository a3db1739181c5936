import type { JournalFiles } from "./journal-files.ts";

export interface JournalQuotaOptions {
  readonly directory: string;
  readonly bytesMax: number;
  readonly measureIntervalMs: number;
  readonly files: JournalFiles;
}

/**
 * Keeps the journal of all processes together within its bounds. Each process counts what it writes itself, and looks
 * at the directory now and then for what others wrote and what was ingested.
 */
export function openJournalQuota({ directory, bytesMax, measureIntervalMs, files }: JournalQuotaOptions) {
  let measuredBytes = 0;
  let writtenSinceBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isMeasuring = false;
  let isClosed = false;

  async function measure(): Promise<void> {
    timer = undefined;
    isMeasuring = true;
    const writtenBeforeBytes = writtenSinceBytes;
    try {
      measuredBytes = await files.measure(directory);
      // What is written meanwhile may be counted twice until the next time, but is not missed.
      writtenSinceBytes -= writtenBeforeBytes;
    } catch {
      // The old figure stands; the next look is due whenever somebody clicks.
    } finally {
      isMeasuring = false;
    }
  }

  function lookLater(): void {
    if (timer !== undefined || isMeasuring || isClosed) return;
    timer = setTimeout(measure, measureIntervalMs);
    timer.unref();
  }

  void measure();
  return {
    /** Whether there is room for more than what waits to be written. */
    hasRoom(waitingBytes: number): boolean {
      if (measuredBytes + writtenSinceBytes + waitingBytes < bytesMax) return true;
      lookLater();
      return false;
    },
    add(bytes: number): void {
      writtenSinceBytes += bytes;
      lookLater();
    },
    bytes: () => measuredBytes + writtenSinceBytes,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
