/** Texts that were seen, by a hash of 64 bits: a million of them take 32 MB at most. */
export class NumberSet {
  #slots = new BigUint64Array(1024);
  #size = 0;

  /** Returns whether it is new. */
  add(text: string): boolean {
    const hash = hashOf(text);
    const at = this.#find(hash);
    if (this.#slots[at] !== 0n) return false;
    this.#slots[at] = hash;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  has(text: string): boolean {
    return this.#slots[this.#find(hashOf(text))] !== 0n;
  }

  #find(hash: bigint): number {
    const mask = this.#slots.length - 1;
    let at = Number(hash & BigInt(mask));
    while (this.#slots[at] !== 0n && this.#slots[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new BigUint64Array(before.length * 2);
    for (const hash of before) if (hash !== 0n) this.#slots[this.#find(hash)] = hash;
  }
}

/** Never 0, which means an empty slot. */
const hashOf = (text: string): bigint => BigInt.asUintN(64, BigInt(Bun.hash.wyhash(text))) || 1n;
