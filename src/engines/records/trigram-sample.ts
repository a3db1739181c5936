import { sql } from "kysely";
import { nextTurn } from "#kernel/next-turn.ts";
import type { Sql } from "./schema.ts";
import { trigramsOf } from "./sqlite-text-index.ts";

const LINKS_SAMPLED = 500;
const LINKS_PER_TURN = 50;
const REFRESH_MS = 600_000;
// Each additional trigram reads a list that may be as long as the account, and rarely excludes more links.
const TERMS_MAX = 4;

/** Estimates how common trigrams are, so a search only reads the shortest lists of the text index. */
export class TrigramSample {
  readonly #scan: Sql;
  #counts: ReadonlyMap<string, number> = new Map();
  #takenAt = Number.NEGATIVE_INFINITY;

  constructor(scan: Sql) {
    this.#scan = scan;
  }

  /** The text's rarest trigrams, rarest first, or all of them before there is a sample. Matching links have every one. */
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
    // With an old sample, or none, searches are just slower.
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

/** Spread over all link numbers, with gaps where links were deleted. */
const places = Array.from({ length: LINKS_SAMPLED }, (_, index) => index + 1);
