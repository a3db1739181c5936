import { join } from "node:path";
import { type KurzWithApi, startKurzWithApi } from "./link-api.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

export interface KurzOnSmallDisk extends KurzWithApi {
  readonly disk: SmallDisk;
  /** Ends the server and takes the disk away. */
  stop(): Promise<void>;
}

/** A running product whose data directory can be full without harm. */
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
