interface ActiveTarget<T> {
  readonly target: T;
  inFlight: number;
  onIdle: (() => void) | null;
}

/** Runs work on the current target, which can be replaced between two pieces of work. */
export class SwitchableTarget<T> {
  #active: ActiveTarget<T>;
  /** Pending during a switch, while new work waits. */
  #switching: Promise<void> | null = null;

  constructor(target: T) {
    this.#active = activate(target);
  }

  get current(): T {
    return this.#active.target;
  }

  async run<R>(work: (target: T) => Promise<R>): Promise<R> {
    while (this.#switching) await this.#switching;
    const active = this.#active;
    active.inFlight += 1;
    try {
      return await work(active.target);
    } finally {
      active.inFlight -= 1;
      if (active.inFlight === 0) active.onIdle?.();
    }
  }

  /**
   * Delays new work until what is in flight has ended, `waitMsMax` at most; what takes longer ends on the old target. No
   * work starts on the new target before the switch, or on the old one after it.
   */
  async switchTo(target: T, waitMsMax: number): Promise<void> {
    const old = this.#active;
    const switched = Promise.withResolvers<void>();
    this.#switching = switched.promise;
    if (old.inFlight > 0) {
      const idle = Promise.withResolvers<void>();
      old.onIdle = idle.resolve;
      await Promise.race([idle.promise, Bun.sleep(waitMsMax)]);
    }
    this.#active = activate(target);
    this.#switching = null;
    switched.resolve();
  }
}

const activate = <T>(target: T): ActiveTarget<T> => ({ target, inFlight: 0, onIdle: null });
