import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import type { Signals } from "#engines/coordination/signals.ts";
import { openCoordination } from "#engines/open-engines.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { readNodeName } from "./node-name.ts";
import type { NodeFacts } from "./roll-call.ts";
import { readSecretKey } from "./secret-key.ts";
import { isNode } from "./stop-limits.ts";

const WAIT_MS = 500;
// What is left of this directory's last run ends within moments of its supervisor. A second node stays.
const CALLS = 10;

export const COPY_REMEDY =
  "one data directory is a copy of the other, and clicks of both would be lost; start the copy with an empty data directory";

/**
 * Throws if another running node has this one's name: servers would take segments of one for those of the other. Nodes
 * are asked through the coordination server; without it, this start goes on, and control looks again once a minute.
 */
export async function refuseCopiedNode(config: Config): Promise<void> {
  if (config.redisUrl === null || !isNode(config)) return;
  const name = readNodeName(config);
  const coordination = await openCoordination(enginePlaces(config).coordination, {
    secret: readSecretKey(config.secretKey, dataPaths(config.dataDir).secretKey),
    onChange() {},
  });
  try {
    const namesake = await findNamesake(coordination.signals, name);
    if (namesake === undefined) return;
    throw new OperatorMistake(
      `another node named ${name} has been running since ${namesake.started_at}: ${COPY_REMEDY}`,
    );
  } finally {
    await coordination.close();
  }
}

/** A running node of that name that doesn't end meanwhile. */
export async function findNamesake(signals: Signals, name: string, waitMs = WAIT_MS): Promise<NodeFacts | undefined> {
  // Loaded only where nodes can have a namesake: a server that is alone keeps no library for it in memory.
  const { callTheRoll } = await import("./roll-call.ts");
  let namesake: NodeFacts | undefined;
  for (let call = 0; call < CALLS; call += 1) {
    namesake = (await callTheRoll(signals, waitMs)).find((node) => node.name === name);
    if (namesake === undefined) return undefined;
  }
  return namesake;
}
