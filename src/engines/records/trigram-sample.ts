import { sql } from "kysely";
import { nextTurn } from "#kernel/next-turn.ts";
import type { Sql } from "./schema.ts";
import { trigramsOf } from "./sqlite-text-index.ts";

const LINKS_SAMPLED = 500;
const LINKS_PER_TURN = 50;
const REFRESH_MS = 600_000;
// Each further one reads a list that may be as long as the account, and rarely leaves out any more links.
const TERMS_MAX = 4;

/** Knows roughly how common trigrams are, so that a search reads the shortest lists of the text index only. */
export class TrigramSample {
  readonly #scan: Sql;
  #counts: ReadonlyMap<string, number> = new Map();
  #takenAt = Number.NEGATIVE_INFINITY;

  constructor(scan: Sql) {
    this.#scan = scan;
  }

  /** The rarest trigrams of the text, rarest first, or all before it knows any; a link with the text has every one. */
  rarestOf(text: string): string[] {
    this.#refresh();
    if (this.#counts.size === 0) return trigramsOf(text);
    const countOf = (term: string): number => this.#counts.get(term) ?? 0;
    return trigramsOf(text)
      .toSorted((a, b) => countOf(a) - countOf(b))
      .slice(0, TERMS_MAX);
  }

  #refresh(): void {
    if (performance.now() - this.#takenAt < REFRESH_MS) return;
    this.#takenAt = performance.now();
    // With an old sample, or none, a search only takes longer.
    this.#take().catch(() => {});
  }

  async #take(): Promise<void> {
    const { rows } = await sql<{ text: string }>`
      select search_text as text from links where no in (
        select (select max(no) from links) * value / ${LINKS_SAMPLED} from json_each(${JSON.stringify(places)})
      )`.execute(this.#scan);
    const counts = new Map<string, number>();
    for (const [index, { text }] of rows.entries()) {
      if (index % LINKS_PER_TURN === 0) await nextTurn();
      for (const term of trigramsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    this.#counts = counts;
  }
}

/** Spread over all numbers, with gaps where links were deleted. */
const places = Array.from({ length: LINKS_SAMPLED }, (_, index) => index + 1);
