import type { FamilyName } from "./families.ts";
import { type Figures, type Labels, seriesOf } from "./figures.ts";

/** Counts values by ascending upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0);
  }

  observe(value: number): void {
    const above = this.#bounds.findIndex((bound) => value <= bound);
    const at = above < 0 ? this.#bounds.length : above;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** Buckets are cumulative, as the format requires. */
  figures(name: FamilyName, labels: Labels = {}): Figures {
    const figures: Record<string, number> = {};
    let count = 0;
    for (const [at, own] of this.#counts.entries()) {
      count += own;
      figures[seriesOf(`${name}_bucket`, { ...labels, le: String(this.#bounds[at] ?? "+Inf") })] = count;
    }
    figures[seriesOf(`${name}_sum`, labels)] = this.#sum;
    figures[seriesOf(`${name}_count`, labels)] = count;
    return figures;
  }
}
