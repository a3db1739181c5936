import type { DataPaths } from "#config/data-paths.ts";
import { findLockHolder } from "#runtime/data-lock.ts";

/** The supervisor's metrics as text, even while its processes are down; `undefined` if no server is running. */
export async function findMetricsText(paths: DataPaths): Promise<string | undefined> {
  if (findLockHolder(paths)?.purpose !== "server") return undefined;
  return (await fetch("http://localhost/metrics", { unix: paths.metricsSocket })).text();
}
