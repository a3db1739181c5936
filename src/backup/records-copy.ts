import { reasonOf } from "#kernel/error-text.ts";
import { shippedWorker } from "#kernel/shipped-files.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import { syncSteadily } from "./steady-sync.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

const module = shippedWorker("src/backup/records-copy-worker.ts");

/**
 * Writes a snapshot of the records to a new file. Others can read and write meanwhile; the write-ahead log grows until
 * it is done.
 */
export async function copyRecords(from: string, to: string): Promise<void> {
  const worker = openWorkerCalls<CopyRequest, void>({ module });
  const copying = worker.call({ from, to }).catch((error: unknown) => {
    throw new Error(`the records can't be copied: ${reasonOf(error)}`);
  });
  try {
    await syncSteadily(to, copying);
  } finally {
    await worker.stop();
  }
}
