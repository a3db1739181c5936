export interface Paced {
  /** The waiting request may be handed over now. */
  onTurn(): void;
}

/**
 * Allows one handover per event loop iteration. Each takes this process as long as twenty redirects, so a burst would
 * delay redirects by many milliseconds if they weren't served in between.
 */
export class HandoverPace {
  readonly #waiting = new Set<Paced>();
  readonly #hasRoom: () => boolean;
  #isTaken = false;

  /** `hasRoom` returns whether anything may be handed over at all. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom;
  }

  /** Whether a request may be handed over in this iteration; if not, it has to wait. */
  take(): boolean {
    if (this.#isTaken || !this.#hasRoom()) return false;
    this.#isTaken = true;
    setImmediate(() => this.#startTurn());
    return true;
  }

  /** There may be room again. */
  resume(): void {
    if (!this.#isTaken && this.#waiting.size > 0) this.#startTurn();
  }

  wait(paced: Paced): void {
    this.#waiting.add(paced);
  }

  forget(paced: Paced): void {
    this.#waiting.delete(paced);
  }

  #startTurn(): void {
    this.#isTaken = false;
    const [next] = this.#waiting;
    if (next === undefined || !this.take()) return;
    this.#waiting.delete(next);
    next.onTurn();
  }
}
