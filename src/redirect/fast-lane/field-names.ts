import { nameByte } from "./byte-classes.ts";

/** Finds out which of a few names stands in a head, by a hash that the scanner makes as it goes. */
export class FieldNames {
  readonly #slotsByHash: ReadonlyMap<number, number>;
  readonly #names: readonly Buffer[];

  /** In lower case. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
    this.#slotsByHash = new Map(this.#names.map((name, slot) => [name.reduce(addToHash, 0), slot]));
    if (this.#slotsByHash.size < names.length) throw new Error("two field names have one hash");
  }

  /** The place of the name in the list, or -1. Equal hashes are not enough: anybody can make one. */
  find(hash: number, bytes: Buffer, start: number, end: number): number {
    const slot = this.#slotsByHash.get(hash);
    const name = slot === undefined ? undefined : this.#names[slot];
    if (slot === undefined || name?.length !== end - start) return -1;
    for (let index = 0; index < name.length; index += 1) {
      if (nameByte[bytes[start + index] ?? 0] !== name[index]) return -1;
    }
    return slot;
  }
}

export const addToHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0;
