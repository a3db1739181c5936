export interface Paced {
  /** It may be handed over now. */
  onTurn(): void;
}

/**
 * Lets one request be handed over in each turn of the event loop. What follows from one takes this process as long as
 * twenty redirects, so a burst of them would hold up redirects for many milliseconds if they did not come in between.
 */
export class HandoverPace {
  readonly #waiting = new Set<Paced>();
  readonly #hasRoom: () => boolean;
  #isTaken = false;

  /** `hasRoom` tells whether anything may be handed over at all. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom;
  }

  /** Whether a request may be handed over in this turn; otherwise it has to wait. */
  take(): boolean {
    if (this.#isTaken || !this.#hasRoom()) return false;
    this.#isTaken = true;
    setImmediate(() => this.#beginTurn());
    return true;
  }

  /** There may be room again. */
  goOn(): void {
    if (!this.#isTaken && this.#waiting.size > 0) this.#beginTurn();
  }

  wait(paced: Paced): void {
    this.#waiting.add(paced);
  }

  forget(paced: Paced): void {
    this.#waiting.delete(paced);
  }

  #beginTurn(): void {
    this.#isTaken = false;
    const [next] = this.#waiting;
    if (next === undefined || !this.take()) return;
    this.#waiting.delete(next);
    next.onTurn();
  }
}
