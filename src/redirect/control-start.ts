import type { LinkSource } from "./records-thread.ts";

// Control takes a second, or several on a busy machine.
const WAIT_MS_MAX = 30_000;
// A machine that is busy starting may be late once; longer than this it is the server for records that is away.
const AWAY_MS_MIN = 5000;

export interface ControlStartOptions {
  readonly isControlUp: () => Promise<boolean>;
  /** Milliseconds that only go forward. */
  readonly elapsed: () => number;
}

/**
 * Whether a node that just started still waits for its control process. One that is upgraded after another must not count
 * as ready before it serves everything, or for a moment no node would serve the API. But links come first: the wait has
 * an end, it ends at once for good when control has been up, and it is over if the records that control needs are away.
 */
export class ControlStart {
  readonly #options: ControlStartOptions;
  readonly #startedAt: number;
  #recordsSeenAt: number;
  #isOver = false;

  constructor(options: ControlStartOptions) {
    this.#options = options;
    this.#startedAt = options.elapsed();
    this.#recordsSeenAt = this.#startedAt;
  }

  async isOver(source: LinkSource): Promise<boolean> {
    if (this.#isOver) return true;
    const now = this.#options.elapsed();
    if (source === "records") this.#recordsSeenAt = now;
    this.#isOver =
      now - this.#startedAt >= WAIT_MS_MAX ||
      now - this.#recordsSeenAt >= AWAY_MS_MIN ||
      (await this.#options.isControlUp());
    return this.#isOver;
  }
}
