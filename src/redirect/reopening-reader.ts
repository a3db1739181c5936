import { RecordsUnavailable } from "#engines/records/records.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";

export interface ReopeningReaderOptions {
  readonly open: () => RedirectReader;
  readonly retryMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const RETRY_MS = 50;

/** A reader that can be created before its database, and reopens it after a failure. */
export function createReopeningReader({
  open,
  retryMs = RETRY_MS,
  now = () => performance.now(),
}: ReopeningReaderOptions): RedirectReader {
  let current: RedirectReader | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let problem: unknown;
  let isClosed = false;

  const get = (): RedirectReader => {
    if (current) return current;
    if (isClosed || now() - triedAt < retryMs) {
      throw new RecordsUnavailable(`the records cannot be opened: ${String(problem)}`);
    }
    triedAt = now();
    try {
      current = open();
      return current;
    } catch (error) {
      problem = error;
      throw error;
    }
  };

  const use = <T>(action: (reader: RedirectReader) => T): T => {
    const reader = get();
    try {
      return action(reader);
    } catch (error) {
      drop(reader, error);
      throw error;
    }
  };

  const drop = (reader: RedirectReader, error: unknown): void => {
    if (current !== reader) return;
    problem = error;
    current = undefined;
    reader.close();
  };

  return {
    async find(slug) {
      const reader = get();
      try {
        return await reader.find(slug);
      } catch (error) {
        drop(reader, error);
        throw error;
      }
    },
    changesSince: (seq) => use((reader) => reader.changesSince(seq)),
    lastSeq: () => use((reader) => reader.lastSeq()),
    hasForeignCommit: () => use((reader) => reader.hasForeignCommit()),
    close() {
      isClosed = true;
      current?.close();
      current = undefined;
    },
  };
}
