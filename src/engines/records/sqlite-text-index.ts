// A block of letters without case, so the tokenizer leaves them unchanged.
const MARK_FIRST = 0x3400;
const MARK_BASE = 6000;

/** Builds `accountMark` in SQL, for indexing links. */
export const accountMarkSql = (column: string): string =>
  `char(${MARK_FIRST} + ${column} % ${MARK_BASE}, ` +
  `${MARK_FIRST} + ${column} / ${MARK_BASE} % ${MARK_BASE}, ` +
  `${MARK_FIRST} + ${column} / ${MARK_BASE * MARK_BASE})`;

/** The trigram that represents an account in the text index, quoted for a search. */
export const accountMark = (accountNo: number): string =>
  quote(
    String.fromCodePoint(
      MARK_FIRST + (accountNo % MARK_BASE),
      MARK_FIRST + (Math.floor(accountNo / MARK_BASE) % MARK_BASE),
      MARK_FIRST + Math.floor(accountNo / MARK_BASE ** 2),
    ),
  );

/** The index stores no positions, so text is looked up as a set of trigrams and verified by the caller. */
export function trigramsOf(text: string): string[] {
  const characters = [...text];
  const found = new Set<string>();
  for (let start = 0; start + 3 <= characters.length; start += 1) {
    found.add(quote(characters.slice(start, start + 3).join("")));
  }
  return [...found];
}

const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`;
