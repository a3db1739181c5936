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
const ASK_MS_MAX = 5000;

export interface PublishedMetrics {
  /** Where scrapers find them, or why they can't; null if the operator turned them off. */
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
  let reading: Promise<Figures> | undefined;
  /** A disk that doesn't respond must not hide the rest; its series are left out. Only one read at a time waits for it. */
  const readDisk = (): Promise<Figures> => {
    reading ??= diskFigures(config, paths)
      .catch(() => ({}))
      .finally(() => {
        reading = undefined;
      });
    return Promise.race([reading, Bun.sleep(DISK_MS_MAX).then(() => ({}))]);
  };
  const read = async (): Promise<Figures> => ({
    ...start,
    ...processes.read(),
    ...(await readDisk()),
  });
  const own = await serveMetrics({ unix: paths.metricsSocket }, read).catch((error: unknown) => {
    logEvent("warn", "kurz doctor can't report lost clicks", { error: errorText(error) });
    return null;
  });
  const kept = own && keepFiles([{ path: paths.metricsSocket, restore: own.listenAgain }]);
  const { served, stop } = await publishMetrics(config.metricsAddress, read, (request) =>
    askControl(paths.controlSocket, request),
  );
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

/** For scrapers, on the address that the operator set. */
export async function publishMetrics(
  address: ListenAddress | null,
  read: () => Promise<Figures>,
  tlsCheck?: (request: Request) => Promise<Response>,
): Promise<PublishedMetrics> {
  if (address === null) return { served: null, stop: async () => {} };
  try {
    const server = await serveMetrics(address, read, tlsCheck);
    return { served: { address: server.address }, stop: () => server.stop() };
  } catch (error) {
    return { served: { problem: reasonOf(error) }, stop: async () => {} };
  }
}

/** Control knows the hosts. Without it, a proxy asks again with the next connection. */
async function askControl(socket: string, { url }: Request): Promise<Response> {
  const target = url.slice(url.indexOf("/tls-check"));
  try {
    return await fetch(`http://localhost${target}`, { unix: socket, signal: AbortSignal.timeout(ASK_MS_MAX) });
  } catch {
    return new Response("unavailable\n", { status: 503 });
  }
}
