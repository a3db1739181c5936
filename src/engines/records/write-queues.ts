/** How many locks all queues share. A queue is one of these by its hash, so two queues may wait for each other. */
export const WRITE_LOCKS = 32;

export const writeLockOf = (queue: string): string => `write_lock_${Number(Bun.hash(queue) % BigInt(WRITE_LOCKS))}`;

/** Runs what is in the same queue one after the other, in this process. */
export class WriteQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(queue: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(queue) ?? Promise.resolve();
    const running = before.then(work, work);
    this.#last.set(queue, running);
    const forget = (): void => {
      if (this.#last.get(queue) === running) this.#last.delete(queue);
    };
    running.then(forget, forget);
    return running;
  }
}
