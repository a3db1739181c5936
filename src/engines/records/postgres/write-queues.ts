import { type Gate, gate } from "#kernel/gate.ts";
import { RecordsUnavailable } from "../records.ts";

/** How many locks all queues share. A queue is one of these by its hash, so two queues may wait for each other. */
export const WRITE_LOCKS = 32;

export const writeLockOf = (queue: string): string => `write_lock_${Number(Bun.hash(queue) % BigInt(WRITE_LOCKS))}`;

export interface WriteQueueLimits {
  readonly waitingMax: number;
  /** What hasn't begun by then is refused, and has changed nothing. */
  readonly waitMsMax: number;
}

interface Queue {
  readonly enter: Gate;
  users: number;
}

/** Runs what is in the same queue one after the other, in this process. */
export class WriteQueues {
  readonly #limits: WriteQueueLimits;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: WriteQueueLimits) {
    this.#limits = limits;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { enter: gate(1, { ...this.#limits, refusal: newRefusal }), users: 0 };
    this.#queues.set(name, queue);
    queue.users += 1;
    try {
      return await queue.enter(work);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) this.#queues.delete(name);
    }
  }
}

const newRefusal = (): RecordsUnavailable => new RecordsUnavailable("too many writes of the same records wait");
