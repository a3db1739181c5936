import { type RawBuilder, sql } from "kysely";
import { nextTurn } from "#kernel/next-turn.ts";
import type { Sql } from "./schema.ts";

const LINKS_SAMPLED = 500;
/** Spread over all link numbers, with gaps where links were deleted. */
export const SAMPLE_PLACES = Array.from({ length: LINKS_SAMPLED }, (_, index) => index + 1);
const LINKS_PER_TURN = 50;
const REFRESH_MS = 600_000;
// Each additional trigram reads a list that may be as long as the account, and rarely excludes more links.
const TERMS_MAX = 4;

/** Estimates how common trigrams are, so a search only reads the shortest lists of the text index. */
export class TrigramSample {
  readonly #scan: Sql;
  readonly #places: RawBuilder<unknown>;
  #links = 0;
  #counts: ReadonlyMap<string, number> = new Map();
  #takenAt = Number.NEGATIVE_INFINITY;

  /** `places` is a table expression with `SAMPLE_PLACES` in the column `value`. */
  constructor(scan: Sql, places: RawBuilder<unknown>) {
    this.#scan = scan;
    this.#places = places;
  }

  /** The text's rarest trigrams, rarest first, or all of them before there is a sample. Matching links have every one. */
  rarestOf(text: string): string[] {
    this.#refresh();
    if (this.#counts.size === 0) return trigramsOf(text);
    return trigramsOf(text)
      .toSorted((a, b) => this.#countOf(a) - this.#countOf(b))
      .slice(0, TERMS_MAX);
  }

  /** Those of the rarest that at most this share of all links contains; none before there is a sample. */
  rareOf(text: string, shareMax: number): string[] {
    const rarest = this.rarestOf(text);
    return this.#links === 0 ? [] : rarest.filter((term) => this.#countOf(term) <= shareMax * this.#links);
  }

  #countOf(term: string): number {
    return this.#counts.get(term) ?? 0;
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
        select (select max(no) from links) * value / ${LINKS_SAMPLED} from ${this.#places}
      )`.execute(this.#scan);
    const counts = new Map<string, number>();
    for (const [index, { text }] of rows.entries()) {
      if (index % LINKS_PER_TURN === 0) await nextTurn();
      for (const term of trigramsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    this.#counts = counts;
    this.#links = rows.length;
  }
}

function trigramsOf(text: string): string[] {
  const characters = [...text];
  const found = new Set<string>();
  for (let start = 0; start + 3 <= characters.length; start += 1) {
    found.add(characters.slice(start, start + 3).join(""));
  }
  return [...found];
}
