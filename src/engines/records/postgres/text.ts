import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../like.ts";
import type { TrigramSample } from "../trigram-sample.ts";

// If more links contain them, walking the account's links in order may be faster; the planner decides.
const RARE_SHARE_MAX = 0.02;
// A second one excludes most of what the first one finds. Each more only means another list to read.
const TERMS_MAX = 2;
/** What the index contains of a text in any locale: trigrams of words. */
const INDEXED = /^[a-z0-9]{3}$/;

/**
 * The account's links that contain the text. The index would read the list of each of its trigrams, and some of them are
 * in nearly every link (`www`, `com`): where there are rare ones, only those are looked up there.
 */
export function textCandidates(accountNo: number, text: string, sample: TrigramSample): RawBuilder<{ no: number }> {
  const pattern = containsPattern(text);
  const rare = sample.rareOf(text, RARE_SHARE_MAX).filter((term) => INDEXED.test(term));
  if (rare.length === 0) {
    return sql`(select no from links where account_no = ${accountNo} and search_text like ${pattern} escape '\\')`;
  }
  const terms = rare.slice(0, TERMS_MAX).map((term) => sql`search_text like ${containsPattern(term)} escape '\\'`);
  // An expression isn't looked up in the index of its column.
  return sql`(
    select no from links
    where account_no = ${accountNo} and ${sql.join(terms, sql` and `)} and (search_text || '') like ${pattern} escape '\\'
  )`;
}
