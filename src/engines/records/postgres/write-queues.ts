import { NamedQueues } from "#kernel/named-queues.ts";
import { RecordsUnavailable } from "../records.ts";

/** How many locks all queues share. A queue is one of these by its hash, so two queues may wait for each other. */
export const WRITE_LOCKS = 32;

export const writeLockOf = (queue: string): string => `write_lock_${Number(Bun.hash(queue) % BigInt(WRITE_LOCKS))}`;

export interface WriteQueueLimits {
  readonly waitingMax: number;
  /** What hasn't begun by then is refused, and has changed nothing. */
  readonly waitMsMax: number;
}

export const writeQueues = (limits: WriteQueueLimits): NamedQueues =>
  new NamedQueues({
    ...limits,
    refusal: () => new RecordsUnavailable("too many writes of the same records wait"),
  });
