import { nameByte } from "./byte-classes.ts";

/** Recognizes a few header names by a hash that the scanner computes while it reads. */
export class FieldNames {
  readonly #slotsByHash: ReadonlyMap<number, number>;
  readonly #names: readonly Buffer[];

  /** `names` must be in lower case. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
    this.#slotsByHash = new Map(this.#names.map((name, slot) => [name.reduce(addToHash, 0), slot]));
    if (this.#slotsByHash.size < names.length) throw new Error("two field names have the same hash");
  }

  /** The index of the name in the list, or -1. Names are compared, too: anyone can produce a hash collision. */
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
