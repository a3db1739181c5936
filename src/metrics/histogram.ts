import type { FamilyName } from "./families.ts";
import { type Figures, type Labels, seriesOf } from "./figures.ts";

/** Counts values by ascending upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  /** Figures are read every second, and making these names takes longer than adding up the counts. */
  readonly #series: { readonly buckets: readonly string[]; readonly sum: string; readonly count: string };
  #sum = 0;

  constructor(bounds: readonly number[], name: FamilyName, labels: Labels = {}) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0);
    this.#series = {
      buckets: [...bounds, "+Inf"].map((bound) => seriesOf(`${name}_bucket`, { ...labels, le: String(bound) })),
      sum: seriesOf(`${name}_sum`, labels),
      count: seriesOf(`${name}_count`, labels),
    };
  }

  observe(value: number): void {
    const above = this.#bounds.findIndex((bound) => value <= bound);
    const at = above < 0 ? this.#bounds.length : above;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** Buckets are cumulative, as the format requires. */
  figures(): Figures {
    const { buckets, sum, count } = this.#series;
    const figures: Record<string, number> = {};
    let below = 0;
    for (const [at, bucket] of buckets.entries()) {
      below += this.#counts[at] ?? 0;
      figures[bucket] = below;
    }
    figures[sum] = this.#sum;
    figures[count] = below;
    return figures;
  }
}
