import { families } from "./families.ts";
import { type Figures, familyOf } from "./figures.ts";

/** Aggregates what processes report. When a process dies, its counters stay in the sum and its gauges are dropped. */
export class Ledger {
  readonly #ended: Record<string, number> = {};
  readonly #living = new Map<string, Figures>();

  /** Replaces the process's previous report since it started. */
  report(process: string, figures: Figures): void {
    this.#living.set(process, figures);
  }

  endLife(process: string): void {
    const last = Object.entries(this.#living.get(process) ?? {});
    addTo(this.#ended, Object.fromEntries(last.filter(([key]) => families[familyOf(key)].type !== "gauge")));
    this.#living.delete(process);
  }

  totals(): Figures {
    const totals = { ...this.#ended };
    for (const figures of this.#living.values()) addTo(totals, figures);
    return totals;
  }
}

function addTo(totals: Record<string, number>, figures: Figures): void {
  for (const [key, value] of Object.entries(figures)) totals[key] = (totals[key] ?? 0) + value;
}
