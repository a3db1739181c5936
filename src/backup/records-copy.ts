import { openSqlite } from "#engines/records/sqlite-connection.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import type { JournalCut } from "./journal-cut.ts";
import { syncSteadily } from "./steady-sync.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

const module = new URL("./records-copy-worker.ts", import.meta.url);

/**
 * Writes a snapshot of the records to a new file. Others can read and write meanwhile; the write-ahead log grows until
 * it is done.
 */
export async function copyRecords(from: string, to: string): Promise<void> {
  const worker = openWorkerCalls<CopyRequest, void>({ module });
  const copying = worker.call({ from, to }).catch((error: unknown) => {
    throw new Error(`the records cannot be copied: ${reasonOf(error)}`);
  });
  try {
    await syncSteadily(to, copying);
  } finally {
    worker.stop();
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
