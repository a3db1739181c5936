import { dataPaths } from "./data-paths.ts";
import type { Config } from "./settings.ts";

/** Where each engine is: on a server, if there is a setting for it, and otherwise in the data directory. */
export function enginePlaces(
  config: Pick<
    Config,
    "dataDir" | "databaseUrl" | "databaseReadUrl" | "clickhouseUrl" | "clickhouseCluster" | "redisUrl"
  >,
) {
  const { records, clicks, clickBatches } = dataPaths(config.dataDir);
  const { databaseUrl, databaseReadUrl, clickhouseUrl, clickhouseCluster, redisUrl } = config;
  return {
    records: databaseUrl === null ? { path: records } : { url: databaseUrl, readUrl: databaseReadUrl },
    clicks: {
      batchDirectory: clickBatches,
      ...(clickhouseUrl === null ? { path: clicks } : { url: clickhouseUrl, cluster: clickhouseCluster }),
    },
    coordination: redisUrl === null ? null : { url: redisUrl },
  };
}
