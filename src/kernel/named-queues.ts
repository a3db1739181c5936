import { type Gate, gate, type QueueLimits } from "./gate.ts";

interface Queue {
  readonly enter: Gate;
  users: number;
}

/** Runs what is in the queue of the same name one after the other, in this process. The limits are those of each queue. */
export class NamedQueues {
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { enter: gate(1, this.#limits), users: 0 };
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
