import type { CoordinationStats } from "#engines/coordination/coordination.ts";
import { type Figures, series } from "#metrics/figures.ts";

/** Whether the nodes of the deployment act together; nothing for a single node. */
export const coordinationFigures = (stats: CoordinationStats | null): Figures =>
  stats === null
    ? {}
    : {
        [series("kurz_coordination_up")]: stats.isUp ? 1 : 0,
        [series("kurz_coordination_fallbacks_total")]: stats.fallbacks,
      };
