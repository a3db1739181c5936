import { SourceProblem } from "#imports/import-source.ts";

/** More than an import can have links, since logs keep clicks of deleted ones. */
const KEYS_MAX = 2_000_000;
const KEY_CHARACTERS_MAX = 500;

/** Numbers by link. A small file can decompress to any number of links, so there is an end to them. */
export class SumsByKey {
  readonly #sums = new Map<string, number>();
  readonly #keysMax: number;

  constructor(keysMax = KEYS_MAX) {
    this.#keysMax = keysMax;
  }

  of(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  add(key: string, number: number): void {
    if (key.length > KEY_CHARACTERS_MAX) return;
    this.#sums.set(key, this.of(key) + number);
    if (this.#sums.size > this.#keysMax)
      throw new SourceProblem("The file has clicks of more links than fit into one import. Split it into several.");
  }
}
