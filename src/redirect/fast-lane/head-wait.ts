import { HEAD_OCTETS_MAX } from "./head-scanner.ts";
import { isMethodStart } from "./heads-end.ts";

// After that the HTTP server gets what there is of a head, and with it the care of slow clients.
const HEAD_MS_MAX = 200;

/** The wait for the rest of a head. */
export class HeadWait {
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Whether this may become a head, and soon. */
  isWorth(bytes: Buffer): boolean {
    return !this.#isOver && bytes.length <= HEAD_OCTETS_MAX && isMethodStart(bytes[0] ?? 0);
  }

  /** From the first part of a head on, however often another one comes. */
  start(): void {
    this.#timer ??= setTimeout(() => {
      this.#isOver = true;
      this.#onOver();
    }, HEAD_MS_MAX);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOver = false;
  }
}
