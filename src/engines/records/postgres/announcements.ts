// If nothing can be announced, this many writes of a queue are made before others wait, and are refused in the end.
export const RUNNING_MAX = 16;

/** What is committed, by queue, until every cache of this node knows about it. */
export class Announcements {
  readonly #running = new Map<string, Set<Promise<void>>>();
  readonly #announce: () => Promise<void>;

  constructor(announce: () => Promise<void>) {
    this.#announce = announce;
  }

  isRunning(queue: string): boolean {
    return this.#running.has(queue);
  }

  /** Resolves when another write of the queue may be committed. */
  async room(queue: string): Promise<void> {
    const running = this.#running.get(queue);
    if (running && running.size >= RUNNING_MAX) await Promise.allSettled([Promise.race(running)]);
  }

  async run(queue: string): Promise<void> {
    const running = this.#running.get(queue) ?? new Set();
    this.#running.set(queue, running);
    const announced = this.#announce();
    running.add(announced);
    try {
      await announced;
    } finally {
      running.delete(announced);
      if (running.size === 0) this.#running.delete(queue);
    }
  }
}
