import type { DataPaths } from "#config/data-paths.ts";
import { openClicks } from "#engines/open-engines.ts";
import { DataInUse, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { askServerToHold, BackupsNotAccepted } from "./hold-client.ts";

/** The data during a backup. */
export interface StillData {
  /**
   * Nothing is written to the clicks engine while `copy` runs. From its start until `close`, no journal segment is
   * deleted and no click erased.
   */
  copyClicks(copy: (file: string) => Promise<void>): Promise<void>;
  /** Throws if this was not the case the whole time. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

const WAIT_MS_MAX = 5000;
const RETRY_MS = 50;

/** Pauses removals in the running server, or takes the data lock if there is none. */
export async function holdData(paths: DataPaths, waitMsMax = WAIT_MS_MAX): Promise<StillData> {
  const endsAt = performance.now() + waitMsMax;
  for (;;) {
    try {
      if (findLockHolder(paths)?.purpose === "server") return await askServerToHold(paths);
      return await holdHere(paths);
    } catch (error) {
      const mayPass = error instanceof BackupsNotAccepted || error instanceof DataInUse;
      if (!mayPass || performance.now() > endsAt) throw error;
    }
    await Bun.sleep(RETRY_MS);
  }
}

/** The lock keeps all others out, so nothing changes. Nothing is migrated either. */
async function holdHere(paths: DataPaths): Promise<StillData> {
  const lock = lockDataDirectory(paths, { purpose: "command", waitMs: 0 });
  const place = { path: paths.clicks, batchDirectory: paths.clickBatches };
  const clicks = await openClicks(place, { asIs: true });
  return {
    copyClicks: (copy) => clicks.exportWith(copy),
    confirm: async () => {},
    async close() {
      await clicks.close();
      lock.release();
    },
  };
}
