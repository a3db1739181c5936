interface Lane<T> {
  readonly target: T;
  inFlight: number;
  onIdle: (() => void) | null;
}

/** Lets work through to the current target, and changes the target between two pieces of work. */
export class Turnstile<T> {
  #lane: Lane<T>;
  /** Resolves when what arrives now may go on. */
  #held: Promise<void> | null = null;

  constructor(target: T) {
    this.#lane = laneTo(target);
  }

  async pass<R>(work: (target: T) => Promise<R>): Promise<R> {
    while (this.#held) await this.#held;
    const lane = this.#lane;
    lane.inFlight += 1;
    try {
      return await work(lane.target);
    } finally {
      lane.inFlight -= 1;
      if (lane.inFlight === 0) lane.onIdle?.();
    }
  }

  /**
   * Holds new work until what is in flight has ended, `holdMsMax` at most: what takes longer ends where it began. Nobody
   * comes to the new target before, or to the old one after.
   */
  async switchTo(target: T, holdMsMax: number): Promise<void> {
    const old = this.#lane;
    const hold = Promise.withResolvers<void>();
    this.#held = hold.promise;
    if (old.inFlight > 0) {
      const idle = Promise.withResolvers<void>();
      old.onIdle = idle.resolve;
      await Promise.race([idle.promise, Bun.sleep(holdMsMax)]);
    }
    this.#lane = laneTo(target);
    this.#held = null;
    hold.resolve();
  }
}

const laneTo = <T>(target: T): Lane<T> => ({ target, inFlight: 0, onIdle: null });
