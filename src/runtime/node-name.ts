import { randomBytes } from "node:crypto";
import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { readKeptText } from "./kept-text.ts";

const SUFFIX_BYTES = 4;

/**
 * The name of this node's journal segments and of what it has claimed. Servers remember which segments they have, so no
 * other node may ever use the same name, not even one with an equal `KURZ_NODE_ID` or a data directory that started
 * over: a part that is made with the data directory sees to that.
 */
export function readNodeName(config: Pick<Config, "nodeId" | "dataDir" | "databaseUrl" | "clickhouseUrl">): string {
  const { nodeId, dataDir, databaseUrl, clickhouseUrl } = config;
  if (databaseUrl === null && clickhouseUrl === null) return nodeId;
  return `${nodeId}.${readKeptText(dataPaths(dataDir).node, () => randomBytes(SUFFIX_BYTES).toString("hex"))}`;
}
