import { type Gate, gate, type QueueLimits } from "./gate.ts";

interface Queue {
  readonly enter: Gate;
  users: number;
}

export interface NamedQueueLimits extends QueueLimits {
  /** One unless given. */
  readonly runningMax?: number;
}

/** Runs what is in the queue of the same name in turn, in this process. The limits are those of each queue. */
export class NamedQueues {
  readonly #limits: NamedQueueLimits;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: NamedQueueLimits) {
    this.#limits = limits;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { enter: gate(this.#limits.runningMax ?? 1, this.#limits), users: 0 };
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
