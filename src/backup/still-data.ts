import type { DataPaths } from "#config/data-paths.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb-clicks.ts";
import { DataInUse, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { askServerToHold, BackupsNotAccepted } from "./hold-client.ts";

/** The data while a backup is taken from them. */
export interface StillData {
  /**
   * Nothing is written to the clicks engine while `copy` runs. From its beginning until `close`, no segment of the
   * journal is deleted and no click erased.
   */
  copyClicks(copy: (file: string) => Promise<void>): Promise<void>;
  /** Throws when that was not so all the while. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 5000;
const RETRY_MS = 50;

/** Pauses removals in the running server, or takes the data lock if there is none. */
export async function holdData(paths: DataPaths, patienceMs = PATIENCE_MS): Promise<StillData> {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    try {
      if (findLockHolder(paths)?.purpose === "server") return await askServerToHold(paths);
      return holdHere(paths);
    } catch (error) {
      const mayPass = error instanceof BackupsNotAccepted || error instanceof DataInUse;
      if (!mayPass || performance.now() > endsAt) throw error;
    }
    await Bun.sleep(RETRY_MS);
  }
}

/** The lock keeps everybody else out, so nothing moves; the records are left on the schema that they have. */
function holdHere(paths: DataPaths): StillData {
  const lock = lockDataDirectory(paths, { purpose: "command", waitMs: 0 });
  const clicks = openDuckDbClicks({ path: paths.clicks, batchDirectory: paths.clickBatches });
  return {
    copyClicks: (copy) => clicks.exportWith(copy),
    confirm: async () => {},
    async close() {
      await clicks.close();
      lock.release();
    },
  };
}
