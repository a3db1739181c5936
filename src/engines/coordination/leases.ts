/** The right to do a job that only one node may do at a time. */
export interface Lease {
  /**
   * Whether this node holds the lease right now. Ask again before each step: a node that was paused or cut off has lost it
   * by its own clock before another node can get it.
   */
  isHeld(): boolean;
  /** Gives the lease up, so that another node can have it at once. */
  release(): Promise<void>;
}

/** For a single node, and for jobs that are about the node's own files. */
export const alwaysHeld: Lease = { isHeld: () => true, release: async () => {} };
