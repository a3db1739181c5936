import { join } from "node:path";
import { type KurzWithApi, startKurzWithApi } from "./link-api.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

export interface KurzOnSmallDisk extends KurzWithApi {
  readonly disk: SmallDisk;
  /** Stops the server and unmounts the disk. */
  stop(): Promise<void>;
}

/** A running server whose data directory can fill up without harm. */
export async function startKurzOnSmallDisk(megabytes: number): Promise<KurzOnSmallDisk> {
  const disk = mountSmallDisk(megabytes);
  try {
    const running = await startKurzWithApi({
      dataDir: join(disk.path, "data"),
      env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
    });
    return {
      ...running,
      disk,
      async stop() {
        await running.kurz.stop();
        disk.unmount();
      },
    };
  } catch (error) {
    disk.abandon();
    throw error;
  }
}
