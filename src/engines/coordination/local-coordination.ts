import type { Coordination } from "./coordination.ts";
import { alwaysHeld } from "./leases.ts";
import { localFailureLimits } from "./local-failure-limits.ts";
import { localRateWindows } from "./rate-windows.ts";
import { ownMissesOnly } from "./shared-misses.ts";
import { noSignals } from "./signals.ts";

/** For a single node: everything in memory. */
export const localCoordination = (): Coordination => ({
  rateWindows: (_purpose, windowMs) => localRateWindows(windowMs),
  failures: localFailureLimits(),
  misses: () => ownMissesOnly,
  signals: noSignals,
  lease: () => alwaysHeld,
  agree: async (_name, proposal) => proposal,
  stats: () => null,
  async close() {},
});
