import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { isShared } from "#engines/places.ts";

export interface StopLimits {
  /** How long control may take for clicks that are still in the journal. */
  readonly journalMs: number;
  /** How long the whole stop may take. */
  readonly stopMs: number;
}

/** Whether the server may be one of several. */
export function isNode(config: Config): boolean {
  const { records, clicks } = enginePlaces(config);
  return isShared(records) || isShared(clicks);
}

/**
 * A node of a deployment may leave for good, with its disk, so the clicks in its journal go to the shared engines first.
 * A server with files of its own finds them again at its next start.
 */
export function stopLimits(config: Config): StopLimits {
  return isNode(config) ? { journalMs: 60_000, stopMs: 80_000 } : { journalMs: 3000, stopMs: 15_000 };
}
