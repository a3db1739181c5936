import { dataPaths } from "#config/data-paths.ts";
import { generationConfig } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { isLocked } from "#runtime/data-lock.ts";
import { findCurrentGeneration, isDemoDirectory } from "./demo-directory.ts";

/** What a command works on: in the demo's directory, the current generation. */
export function operatorConfig(config: Config): Config {
  const { dataDir, demo } = config;
  if (!demo && !isDemoDirectory(dataDir)) return config;
  const generation = isLocked(dataPaths(dataDir)) ? findCurrentGeneration(dataDir) : null;
  if (generation === null) {
    throw new Error(`the demo in ${dataDir} is not running; it has data only while it runs`);
  }
  return generationConfig(config, generation);
}
