import type { JournalFiles } from "./journal-files.ts";

export interface JournalQuotaOptions {
  readonly directory: string;
  readonly bytesMax: number;
  readonly measureIntervalMs: number;
  readonly files: JournalFiles;
}

/**
 * Limits the size of the journal of all processes together. Each process counts its own writes, and measures the
 * directory now and then to see what others wrote and what was ingested.
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
      // Concurrent writes may be counted twice until the next measurement, but are never missed.
      writtenSinceBytes -= writtenBeforeBytes;
    } catch {
      // Keeps the old number; the next click schedules another measurement.
    } finally {
      isMeasuring = false;
    }
  }

  function measureLater(): void {
    if (timer !== undefined || isMeasuring || isClosed) return;
    timer = setTimeout(measure, measureIntervalMs);
    timer.unref();
  }

  void measure();
  return {
    /** Whether there is room for more, besides the bytes that wait to be written. */
    hasRoom(waitingBytes: number): boolean {
      if (measuredBytes + writtenSinceBytes + waitingBytes < bytesMax) return true;
      measureLater();
      return false;
    },
    add(bytes: number): void {
      writtenSinceBytes += bytes;
      measureLater();
    },
    bytes: () => measuredBytes + writtenSinceBytes,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
