import type { DataPaths } from "#config/data-paths.ts";
import { findLockHolder } from "#runtime/data-lock.ts";

/** What the supervisor measures, as text; nothing where no server runs. It answers while its processes are down. */
export async function findMetricsText(paths: DataPaths): Promise<string | undefined> {
  if (findLockHolder(paths)?.purpose !== "server") return undefined;
  return (await fetch("http://localhost/metrics", { unix: paths.metricsSocket })).text();
}
