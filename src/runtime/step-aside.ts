import { availableParallelism } from "node:os";
import type { Config } from "#config/settings.ts";
import { type Hold, keepToLastCores } from "#kernel/last-cores.ts";

/** For long work: leaves as many cores to redirects as there are processes that answer them. */
export function stepAsideFor({ redirectProcesses }: Pick<Config, "redirectProcesses">): Hold {
  const count = Math.max(1, availableParallelism() - redirectProcesses);
  return () => keepToLastCores(count);
}
