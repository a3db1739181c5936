export interface GenerationMapOptions<V> {
  /** The total weight of all entries. */
  readonly weightMax: number;
  readonly weightOf?: (value: V) => number;
}

/**
 * A bounded map that keeps what is used. It has two generations: what is found in the old one moves to the young one,
 * and when the young one is full it becomes the old one. That costs less per hit than keeping exact order.
 */
export class GenerationMap<V> {
  readonly #halfMax: number;
  readonly #weightOf: (value: V) => number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #youngWeight = 0;

  constructor({ weightMax, weightOf = () => 1 }: GenerationMapOptions<V>) {
    this.#halfMax = weightMax / 2;
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#findOld(key);
  }

  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#weightOf(value);
    if (this.#youngWeight + weight > this.#halfMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    this.#young.set(key, value);
    this.#youngWeight += weight;
  }

  delete(key: string): void {
    const value = this.#young.get(key);
    if (value === undefined) {
      this.#old.delete(key);
      return;
    }
    this.#young.delete(key);
    this.#youngWeight -= this.#weightOf(value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }

  #findOld(key: string): V | undefined {
    const value = this.#old.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
