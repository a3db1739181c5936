import { type AgreeOnSalt, keepSalts, keepSharedSalts } from "#clicks/visitor/salts.ts";
import type { Coordination } from "#engines/coordination/coordination.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { logProblem } from "./problem-log.ts";
import type { Services } from "./services.ts";

const INTERVAL_MS = 60_000;
const RETRY_MS = 500;
/**
 * How long a node waits for the other nodes' salt. Its clicks have no visitor meanwhile, but with a salt of its own it
 * would count visitors of other nodes once more until midnight, only because Redis was slow when it started.
 */
const AGREEMENT_MS_MAX = 10_000;

export const saltAgreement =
  (coordination: Pick<Coordination, "agree">): AgreeOnSalt =>
  (day, proposal, forMs) =>
    coordination.agree(`salt ${day}`, proposal, forMs);

/** Keeps the salts of visitor hashes: this node's own, or those that all nodes agree on. */
export function startSalts({
  config,
  paths,
  coordination,
  clock,
}: Pick<Services, "config" | "paths" | "coordination" | "clock">): Loop {
  const waitsUntil = performance.now() + AGREEMENT_MS_MAX;
  let hasToday = false;

  const keep = async (): Promise<boolean> => {
    if (config.redisUrl !== null) {
      const mayUseOwn = performance.now() >= waitsUntil;
      return keepSharedSalts(paths.salts, clock(), saltAgreement(coordination), { mayUseOwn });
    }
    keepSalts(paths.salts, clock());
    return true;
  };

  return startLoop({
    intervalMs: RETRY_MS,
    longerMs: () => (hasToday ? INTERVAL_MS : RETRY_MS),
    retryMsMax: INTERVAL_MS,
    async run() {
      hasToday = await keep();
      return false;
    },
    onFailure: (error) => logProblem("the salts could not be written; visitors are not told apart meanwhile", error),
  });
}
