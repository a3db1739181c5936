import { open } from "node:fs/promises";
import { undefinedIfMissing } from "#kernel/error-codes.ts";

const EVERY_MS = 20;

/**
 * Syncs a file bit by bit while it is being written. Hundreds of megabytes at once would delay every commit of a running
 * server, which waits for the same disk.
 */
export async function syncSteadily<T>(path: string, writing: Promise<T>): Promise<T> {
  let isWritten = false;
  const written = writing.finally(() => {
    isWritten = true;
  });
  // It is awaited below, but may fail during a sync.
  written.catch(() => {});
  while (!isWritten) {
    await syncNow(path);
    await Promise.race([Bun.sleep(EVERY_MS), written.catch(() => {})]);
  }
  return written;
}

async function syncNow(path: string): Promise<void> {
  const file = await open(path, "r").catch(undefinedIfMissing);
  try {
    await file?.datasync();
  } finally {
    await file?.close();
  }
}
