import type { BlockedAddress, MissCount } from "./change-messages.ts";

/** Misses per address across all nodes. Each node also counts its own, and doesn't wait for this. */
export interface SharedMisses {
  /** Adds misses that this node counted, and returns the addresses that are blocked by those of all nodes together. */
  add(counts: readonly MissCount[]): Promise<readonly BlockedAddress[]>;
}

/** For a single node, whose own count is complete. */
export const ownMissesOnly: SharedMisses = { add: async () => [] };
