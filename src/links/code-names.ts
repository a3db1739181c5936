import { findNearest } from "#shared/nearest-word.ts";

// What is shorter resembles too many names.
const RESEMBLING_LENGTH_MIN = 4;

const lettersOf = (name: string): string => name.normalize("NFD").replace(/\P{L}/gu, "").toLowerCase();

/** Finds codes by the names people know them by, whatever the spelling of these, and maybe with a typing mistake. */
export function codeNames(named: readonly (readonly [name: string, code: string])[]) {
  const codes = new Map(named.map(([name, code]) => [lettersOf(name), code]));
  // Comparing with a few of the names is enough: bodies can have thousands of words.
  const longEnough = [...codes.keys()].filter(({ length }) => length >= RESEMBLING_LENGTH_MIN);
  const byInitial = Map.groupBy(longEnough, (name) => name.charAt(0));

  return (text: string): string | undefined => {
    const letters = lettersOf(text);
    const exact = codes.get(letters);
    if (exact !== undefined || letters.length < RESEMBLING_LENGTH_MIN) return exact;
    const nearest = findNearest(letters, byInitial.get(letters.charAt(0)) ?? []);
    return nearest === undefined ? undefined : codes.get(nearest);
  };
}
