import { existsSync } from "node:fs";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import type { Clock } from "#kernel/clock.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { SteadyClock } from "./steady-clock.ts";

interface Options {
  readonly clicks: Pick<ClicksEngine, "compact" | "summarise" | "reclaim">;
  /** The engine's file: while there is none, there is nothing to do. `null` for a server. */
  readonly file: string | null;
  readonly retentionDays: number;
  readonly clock: Clock;
  /** Only a clock that can be trusted decides that a day is over, or old: compacting can't be undone. */
  readonly steadyClock: SteadyClock;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly firstMs?: number;
  readonly intervalMs?: number;
  readonly lease?: Lease;
}

// After a start, catching up on the journal comes first.
const FIRST_MS = 60_000;
const INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;
// Clicks are in the engine a second after they happen; a summary without one of them would have to be created again.
const SETTLED_MS = 300_000;

// It rewrites all clicks, so a day's deletions share one run.
const RECLAIM_MS = 86_400_000;

/**
 * Turns old clicks into counts, prepares ended days for fast reports, and once a day frees the disk space of erased
 * clicks. After an interruption, all of it continues where it stopped.
 */
export function startUpkeep({
  clicks,
  file,
  retentionDays,
  clock,
  steadyClock,
  onProblem,
  firstMs = FIRST_MS,
  intervalMs = INTERVAL_MS,
  lease = alwaysHeld,
}: Options): Loop {
  let reclaimedAt = Number.NEGATIVE_INFINITY;
  const loop = startLoop({
    firstMs,
    intervalMs,
    async run() {
      if (file !== null && !existsSync(file)) return false;
      const steadiness = steadyClock.look();
      if (steadiness === "steady" && lease.isHeld()) {
        await clicks.compact(clock() - retentionDays * DAY_MS, () => lease.isHeld());
      }
      // Clicks of a day that was summarised too early cost more to ingest, but none is lost.
      if (steadiness !== "jumped" && lease.isHeld()) await clicks.summarise(clock() - SETTLED_MS);
      // The clock may have been set back as well.
      if (Math.abs(clock() - reclaimedAt) >= RECLAIM_MS && lease.isHeld()) {
        await clicks.reclaim();
        reclaimedAt = clock();
      }
      return false;
    },
    onFailure: (error) =>
      onProblem("old clicks could not be compacted, summarised or erased from the disk; retrying", error),
  });
  return {
    // A run may take minutes. It leaves nothing half-done, and ends when the engine closes.
    async stop() {
      void loop.stop();
    },
  };
}
