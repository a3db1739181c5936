import type { DataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import type { ListenAddress } from "#config/value-kinds.ts";
import { errorText, reasonOf } from "#kernel/error-text.ts";
import { type Figures, series } from "#metrics/figures.ts";
import { keepFiles } from "#runtime/kept-files.ts";
import { logEvent } from "#runtime/log.ts";
import { version } from "../../package.json";
import { diskFigures } from "./disk-figures.ts";
import { serveMetrics } from "./metrics-server.ts";
import { ProcessFigures } from "./process-figures.ts";

const DISK_MS_MAX = 1000;

export interface PublishedMetrics {
  /** Where a scraper finds them, or why it does not; null where the operator wants none. */
  readonly served: { readonly address: string } | { readonly problem: string } | null;
  stop(): Promise<void>;
}

export interface ServerMetrics extends PublishedMetrics {
  readonly processes: ProcessFigures;
  read(): Promise<Figures>;
}

/** The supervisor serves the metrics: it is the one process that is there while the others die. */
export async function openServerMetrics(config: Config, paths: DataPaths): Promise<ServerMetrics> {
  const processes = new ProcessFigures();
  const start: Figures = {
    [series("kurz_build_info", { version, bun: Bun.version })]: 1,
    [series("kurz_start_time_seconds")]: Date.now() / 1000,
  };
  let looking: Promise<Figures> | undefined;
  /** A disk that cannot be looked at must not hide the rest; its series are missing then. One look at a time waits for it. */
  const lookAtDisk = (): Promise<Figures> => {
    looking ??= diskFigures(config, paths)
      .catch(() => ({}))
      .finally(() => {
        looking = undefined;
      });
    return Promise.race([looking, Bun.sleep(DISK_MS_MAX).then(() => ({}))]);
  };
  const read = async (): Promise<Figures> => ({
    ...start,
    ...processes.read(),
    ...(await lookAtDisk()),
  });
  const own = await serveMetrics({ unix: paths.metricsSocket }, read).catch((error: unknown) => {
    logEvent("warn", "kurz doctor will not know of lost clicks", { error: errorText(error) });
    return null;
  });
  const kept = own && keepFiles([{ path: paths.metricsSocket, restore: own.listenAgain }]);
  const { served, stop } = await publishMetrics(config.metricsAddress, read);
  return {
    processes,
    read,
    served,
    async stop() {
      void kept?.stop();
      await Promise.all([own?.stop(), stop()]);
    },
  };
}

/** For scrapers, where the operator wants them to look. */
export async function publishMetrics(
  address: ListenAddress | null,
  read: () => Promise<Figures>,
): Promise<PublishedMetrics> {
  if (address === null) return { served: null, stop: async () => {} };
  try {
    const server = await serveMetrics(address, read);
    return { served: { address: server.address }, stop: () => server.stop() };
  } catch (error) {
    return { served: { problem: reasonOf(error) }, stop: async () => {} };
  }
}
