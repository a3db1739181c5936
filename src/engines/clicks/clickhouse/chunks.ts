/** So that a statement stays well below what the server reads of one. */
const STATEMENT_ITEMS_MAX = 2000;

/** Lists for statements: on copied tables, a deletion must not ask for anything itself. */
export const chunksOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / STATEMENT_ITEMS_MAX) }, (_, chunk) =>
    items.slice(chunk * STATEMENT_ITEMS_MAX, (chunk + 1) * STATEMENT_ITEMS_MAX),
  );
