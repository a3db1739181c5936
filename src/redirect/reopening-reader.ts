import { RecordsUnavailable } from "#engines/records/records.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";

export interface ReopeningReaderOptions {
  readonly open: () => Promise<RedirectReader>;
  readonly retryMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const RETRY_MS = 50;

/** A reader that can be created before its database, and reopens it after a failure, unless it reconnects by itself. */
export function createReopeningReader({
  open,
  retryMs = RETRY_MS,
  now = () => performance.now(),
}: ReopeningReaderOptions): RedirectReader {
  let current: Promise<RedirectReader> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let problem: unknown;
  let isClosed = false;

  const get = (): Promise<RedirectReader> => {
    if (current) return current;
    if (isClosed || now() - triedAt < retryMs) {
      return Promise.reject(new RecordsUnavailable(`the records cannot be opened: ${String(problem)}`));
    }
    triedAt = now();
    current = open();
    return current;
  };

  const use = async <T>(action: (reader: RedirectReader) => Promise<T>): Promise<T> => {
    const opened = get();
    let reader: RedirectReader | undefined;
    try {
      reader = await opened;
      return await action(reader);
    } catch (error) {
      // One statement that takes too long must not cost all others their connections.
      if (current === opened && !reader?.reconnects) {
        problem = error;
        current = undefined;
        closeQuietly(opened);
      }
      throw error;
    }
  };

  return {
    find: (key, notBefore) => use((reader) => reader.find(key, notBefore)),
    findAsOf: (key, notBefore) => use((reader) => reader.findAsOf(key, notBefore)),
    changesSince: (seq) => use((reader) => reader.changesSince(seq)),
    lastSeq: () => use((reader) => reader.lastSeq()),
    hasForeignCommit: () => use((reader) => reader.hasForeignCommit()),
    async close() {
      isClosed = true;
      const opened = current;
      current = undefined;
      await opened?.then((reader) => reader.close()).catch(() => {});
    },
  };
}

/** What can't be used any more may fail to close, too, or may never have been opened. */
function closeQuietly(opened: Promise<RedirectReader>): void {
  opened.then((reader) => reader.close()).catch(() => {});
}
