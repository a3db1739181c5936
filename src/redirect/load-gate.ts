export interface LoadGateOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/** More look-ups wait than can be served in time. */
export class TooManyLoads extends Error {}

/** Lets so many look-ups run at a time, makes so many wait, and refuses the rest. */
export class LoadGate {
  readonly #options: LoadGateOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: LoadGateOptions) {
    this.#options = options;
  }

  async run<T>(load: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await load();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#running < this.#options.runningMax) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.length >= this.#options.waitingMax) throw new TooManyLoads("too many look-ups");
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The place goes straight to the next in line, so that nobody can slip in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
