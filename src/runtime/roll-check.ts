import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import type { Signals } from "#engines/coordination/signals.ts";
import { isShared } from "#engines/places.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { logEvent } from "./log.ts";
import { readNodeName } from "./node-name.ts";
import { logProblem } from "./problem-log.ts";
import { COPY_REMEDY } from "./refuse-copied-node.ts";
import { callTheRoll } from "./roll-call.ts";
import { isNode } from "./stop-limits.ts";

const INTERVAL_MS = 60_000;
const WAIT_MS = 1500;

/** Looks once a minute which other nodes run, and logs what they make wrong with the settings of this one. */
export function startRollCheck(config: Config, signals: Signals): Loop {
  const { records, clicks } = enginePlaces(config);
  const name = readNodeName(config);
  let isTold = config.roles.length === 1;
  if (isTold && !isShared(clicks)) warnOfOwnReports();
  return startLoop({
    intervalMs: INTERVAL_MS,
    async run() {
      if (!isNode(config)) return false;
      const nodes = await callTheRoll(signals, WAIT_MS);
      if (nodes.some((node) => node.name === name)) logProblem(`another node named ${name} runs: ${COPY_REMEDY}`);
      if (nodes.length > 0 && isShared(records) && !isShared(clicks) && !isTold) {
        isTold = true;
        warnOfOwnReports();
      }
      return false;
    },
    onFailure: (error) => logProblem("other nodes could not be asked", error),
  });
}

const warnOfOwnReports = (): void =>
  logEvent(
    "warn",
    "reports on this node show its own clicks only, and the clicks of deleted links are erased on one node only: set CLICKHOUSE_URL on all nodes to share them",
  );
