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

/**
 * Runs a job only while the lease is held. The job's signal aborts when the lease is lost or the server stops; `mayGoOn`
 * is exact even if this process was paused meanwhile.
 */
export const whileHeld =
  (lease: Lease, run: (step: Steps) => Promise<boolean>) =>
  async (stopping: AbortSignal): Promise<boolean> =>
    lease.isHeld() ? run({ stopping, mayGoOn: () => !stopping.aborted && lease.isHeld() }) : false;

export interface Steps {
  readonly stopping: AbortSignal;
  /** Ask before each step. */
  mayGoOn(): boolean;
}
