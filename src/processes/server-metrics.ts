import type { DataPaths } from "#config/data-paths.ts";
import type { ListenAddress } from "#config/parse-value.ts";
import type { Config } from "#config/settings.ts";
import { errorText } from "#kernel/error-text.ts";
import { type Figures, series } from "#metrics/figures.ts";
import { logEvent } from "#runtime/log.ts";
import { version } from "../../package.json";
import { diskFigures } from "./disk-figures.ts";
import { type MetricsServer, serveMetrics } from "./metrics-server.ts";
import { ProcessFigures } from "./process-figures.ts";

export interface ServerMetrics {
  readonly processes: ProcessFigures;
  /** Where a scraper finds them, or why it does not; null where the operator wants none. */
  readonly served: { readonly address: string } | { readonly problem: string } | null;
  stop(): Promise<void>;
}

/** The supervisor serves the metrics: it is the one process that is there while the others die. */
export async function openServerMetrics(config: Config, paths: DataPaths): Promise<ServerMetrics> {
  const processes = new ProcessFigures();
  const own: Figures = {
    [series("kurz_build_info", { version, bun: Bun.version })]: 1,
    [series("kurz_start_time_seconds")]: Date.now() / 1000,
  };
  const read = async (): Promise<Figures> => ({
    ...own,
    ...processes.read(),
    // A disk that cannot be looked at must not hide the rest; its series are missing then.
    ...(await diskFigures(config, paths).catch(() => ({}))),
  });
  const servers: MetricsServer[] = [];
  const serve = async (listen: ListenAddress): Promise<string> => {
    const server = await serveMetrics(listen, read);
    servers.push(server);
    return server.address;
  };

  await serve({ unix: paths.metricsSocket }).catch((error: unknown) =>
    logEvent("warn", "kurz doctor will not know of lost clicks", { error: errorText(error) }),
  );
  const served = config.metricsAddress === null ? null : await serve(config.metricsAddress).then(toAddress, toProblem);
  return {
    processes,
    served,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

const toAddress = (address: string) => ({ address });
const toProblem = (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) });
