import type { FailureLimits } from "./failure-limits.ts";
import type { Lease } from "./leases.ts";
import type { RateWindows } from "./rate-windows.ts";
import type { SharedMisses } from "./shared-misses.ts";
import type { Signals } from "./signals.ts";

/** What the nodes of a deployment share apart from their records and clicks. Nothing in here outlives a day. */
export interface Coordination {
  /** Windows of the same purpose and key are the same on every node. */
  rateWindows(purpose: string, windowMs: number): RateWindows;
  readonly failures: FailureLimits;
  /** Limited to this many per address and minute. */
  misses(limit: number): SharedMisses;
  readonly signals: Signals;
  /** Asks for the lease until it is released. */
  lease(job: string): Lease;
  /**
   * The first proposal of any node is what all of them get, until it is forgotten for good after `forMs`. `null` while
   * the server is away.
   */
  agree(name: string, proposal: string, forMs: number): Promise<string | null>;
  /** `null` if there is nothing to be away. */
  stats(): CoordinationStats | null;
  close(): Promise<void>;
}

export interface CoordinationStats {
  readonly isUp: boolean;
  /** How many decisions this node made alone because the server was away. */
  readonly fallbacks: number;
}
