import { randomBytes } from "node:crypto";
import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { readKeptText } from "./kept-text.ts";

const SUFFIX_BYTES = 4;

/**
 * The name of this node's journal segments and of what it has claimed. Servers remember under it which segments they have,
 * so no other node may ever use the same name, not even one with an equal `KURZ_NODE_ID` or a data directory that started
 * over: a random part sees to that. And the data directory keeps its name for good, because with another one its segments
 * would be stored again: containers and disks that are moved get another host name.
 */
export function readNodeName(config: Pick<Config, "nodeId" | "dataDir" | "databaseUrl" | "clickhouseUrl">): string {
  const { nodeId, dataDir, databaseUrl, clickhouseUrl } = config;
  if (databaseUrl === null && clickhouseUrl === null) return nodeId;
  return readKeptText(dataPaths(dataDir).node, () => `${nodeId}.${randomBytes(SUFFIX_BYTES).toString("hex")}`);
}

/** How the names of this node's segments start in records that other nodes use, too; otherwise all segments are its own. */
export const segmentPrefixOf = (config: Parameters<typeof readNodeName>[0]): string =>
  config.databaseUrl === null ? "" : `${readNodeName(config)}-`;
