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
  quoteTerm(
    String.fromCodePoint(
      MARK_FIRST + (accountNo % MARK_BASE),
      MARK_FIRST + (Math.floor(accountNo / MARK_BASE) % MARK_BASE),
      MARK_FIRST + Math.floor(accountNo / MARK_BASE ** 2),
    ),
  );

/** A trigram, quoted for a search. The index stores no positions, so the caller verifies what it finds. */
export const quoteTerm = (term: string): string => `"${term.replaceAll('"', '""')}"`;
