import { localCoordination } from "#engines/coordination/local-coordination.ts";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import { MissTally } from "#engines/coordination/miss-tally.ts";
import { localRateWindows } from "#engines/coordination/rate-windows.ts";
import { coordinationConformance } from "./coordination.suite.ts";

coordinationConformance({
  name: "memory",
  async openLimits(now) {
    const tallies = new Map<number, MissTally>();
    return {
      windows: (windowMs) => localRateWindows(windowMs, now),
      failures: localFailureLimits(now),
      async addMisses(address, misses, limit) {
        const tally = tallies.get(limit) ?? new MissTally({ limit, now });
        tallies.set(limit, tally);
        return tally.add(address, misses);
      },
      async close() {},
    };
  },
  openNodes: async () => [localCoordination()],
});
