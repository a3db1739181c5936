import { dataPaths } from "./data-paths.ts";
import type { Config } from "./settings.ts";

/** Where each engine is: on a server, if there is a setting for it, and otherwise in the data directory. */
export function enginePlaces(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databaseReadUrl" | "clickhouseUrl" | "redisUrl">,
) {
  const { records, clicks, clickBatches } = dataPaths(config.dataDir);
  const { databaseUrl, databaseReadUrl, clickhouseUrl, redisUrl } = config;
  return {
    records: databaseUrl === null ? { path: records } : { url: databaseUrl, readUrl: databaseReadUrl },
    clicks: {
      batchDirectory: clickBatches,
      ...(clickhouseUrl === null ? { path: clicks } : { url: clickhouseUrl }),
    },
    coordination: redisUrl === null ? null : { url: redisUrl },
  };
}
