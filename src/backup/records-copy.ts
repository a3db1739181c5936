import { openSqlite } from "#engines/records/sqlite-connection.ts";
import type { JournalCut } from "./journal-cut.ts";
import { syncSteadily } from "./steady-sync.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

export interface CopyAnswer {
  readonly problem: string | null;
}

/**
 * Writes the records of one moment to a new file. Others go on reading and writing meanwhile; the write-ahead log grows
 * until it is done.
 */
export async function copyRecords(from: string, to: string): Promise<void> {
  const worker = new Worker(new URL("./records-copy-worker.ts", import.meta.url).href);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.onmessage = ({ data: { problem } }: MessageEvent<CopyAnswer>) =>
    problem === null ? resolve() : reject(new Error(`the records cannot be copied: ${problem}`));
  worker.onerror = ({ message }) => reject(new Error(`the records cannot be copied: ${message}`));
  worker.postMessage({ from, to } satisfies CopyRequest);
  try {
    await syncSteadily(to, promise);
  } finally {
    worker.terminate();
  }
}

/** How far the click counts in a file of records have come. */
export function readClickPositions(path: string): JournalCut {
  const database = openSqlite({ path, readonly: true });
  try {
    const [table] = database.query("select 1 from sqlite_schema where name = 'click_positions'").all();
    if (table === undefined) return new Map();
    return new Map(database.query("select segment, position from click_positions").values() as [string, number][]);
  } finally {
    database.close();
  }
}
