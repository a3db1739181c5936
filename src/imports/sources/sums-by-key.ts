import { SourceProblem } from "#imports/import-source.ts";
import { numberOf } from "./text-number.ts";

/** More than an import can have links, since logs keep clicks of deleted ones. */
const KEYS_MAX = 2_000_000;

/** Numbers by link. A small file can decompress to any number of links, so there is an end to them. */
export class SumsByKey {
  readonly #sums = new Map<number, number>();
  readonly #keysMax: number;

  constructor(keysMax = KEYS_MAX) {
    this.#keysMax = keysMax;
  }

  of(key: string): number {
    return this.#sums.get(numberOf(key)) ?? 0;
  }

  add(key: string, number: number): void {
    this.#sums.set(numberOf(key), this.of(key) + number);
    if (this.#sums.size > this.#keysMax)
      throw new SourceProblem("The file has clicks of more links than fit into one import. Split it into several.");
  }
}
