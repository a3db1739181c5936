/**
 * Shares something limited between many parties. A party may take as much as is still free: a single one gets half, two
 * get a third each, and so on, so there's always room for a newcomer, however much the others ask for. (Choudhury and
 * Hahne call this dynamic thresholds.)
 */
export class FairShares {
  readonly #max: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns whether the party gets the amount, which it then has to give back. */
  take(party: string, amount = 1): boolean {
    const held = (this.#heldBy.get(party) ?? 0) + amount;
    if (held > this.#max - this.#held) return false;
    this.#heldBy.set(party, held);
    this.#held += amount;
    return true;
  }

  giveBack(party: string, amount = 1): void {
    const left = (this.#heldBy.get(party) ?? 0) - amount;
    this.#held -= amount;
    if (left > 0) this.#heldBy.set(party, left);
    else this.#heldBy.delete(party);
  }
}
