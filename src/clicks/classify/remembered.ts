import { GenerationMap } from "#kernel/generation-map.ts";

export const KEY_CHARACTERS_MAX = 512;

/** The results of a function for the texts that are met most. Only the first 512 characters of a text are considered. */
export class Remembered<V extends NonNullable<unknown>> {
  readonly #results: GenerationMap<V>;
  readonly #compute: (text: string) => V;

  constructor(entriesMax: number, compute: (text: string) => V) {
    this.#results = new GenerationMap({ weightMax: entriesMax });
    this.#compute = compute;
  }

  get size(): number {
    return this.#results.size;
  }

  get(text: string): V {
    const key = boundText(text);
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = this.#compute(key);
    this.#results.set(key, result);
    return result;
  }

  clear(): void {
    this.#results.clear();
  }
}

export function boundText(text: string): string {
  if (text.length <= KEY_CHARACTERS_MAX) return text;
  // A slice would keep the whole long text in memory as long as the slice itself.
  return Buffer.from(text.slice(0, KEY_CHARACTERS_MAX)).toString();
}
