import type { CountedDimension } from "#engines/clicks/click-counts.ts";
import { SLOT_MS, slotOf } from "#engines/clicks/slots.ts";
import type { ImportedCounts } from "#imports/import-source.ts";

/** One visit, as a service that keeps single ones has it. */
export interface SingleVisit {
  readonly sourceId: string;
  readonly atMs: number;
  readonly bot: boolean;
  /** Without what is unknown. */
  readonly values: Readonly<Partial<Record<CountedDimension, string>>>;
}

interface Moment {
  readonly first: SingleVisit;
  readonly counts: Map<string, { readonly values: SingleVisit["values"]; clicks: number }>;
}

const GROUPS_MAX = 10_000;

/**
 * Adds single visits up per link and quarter of an hour. Whatever the order they come in, memory is bounded: what doesn't
 * fit is handed on and counted further from zero, since counts of the same moment add up.
 */
export class VisitCounts {
  readonly #dimensions: readonly CountedDimension[];
  readonly #groupsMax: number;
  readonly #moments = new Map<string, Moment>();
  #groups = 0;

  constructor(dimensions: readonly CountedDimension[], groupsMax = GROUPS_MAX) {
    this.#dimensions = dimensions;
    this.#groupsMax = groupsMax;
  }

  /** What has to be handed on before there is room again. */
  *add(visit: SingleVisit): Generator<ImportedCounts> {
    const { sourceId, atMs, bot, values } = visit;
    const key = `${slotOf(atMs)} ${bot} ${sourceId}`;
    const moment: Moment = this.#moments.get(key) ?? { first: visit, counts: new Map() };
    this.#moments.set(key, moment);
    const group = JSON.stringify(this.#dimensions.map((name) => values[name] ?? ""));
    const count = moment.counts.get(group);
    if (count) {
      count.clicks += 1;
      return;
    }
    moment.counts.set(group, { values, clicks: 1 });
    this.#groups += 1;
    if (this.#groups >= this.#groupsMax) yield* this.end();
  }

  *end(): Generator<ImportedCounts> {
    for (const { first, counts } of this.#moments.values()) {
      const all = [...counts.values()];
      yield {
        sourceId: first.sourceId,
        atMs: slotOf(first.atMs) * SLOT_MS,
        hasHour: true,
        bot: first.bot,
        clicks: all.reduce((sum, { clicks }) => sum + clicks, 0),
        cuts: [{ dimensions: this.#dimensions, counts: all }],
      };
    }
    this.#moments.clear();
    this.#groups = 0;
  }
}
