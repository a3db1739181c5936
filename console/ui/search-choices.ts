export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What else people call it, or write for it. */
  readonly aliases?: readonly string[];
}

/** As people type: without accents, dots and capitals. */
const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\p{M}.’']/gu, "")
    .replaceAll("&", "and")
    .replace(/[\s-]+/g, " ")
    .trim()
    .toLowerCase();

const EXACT = 0;
const NONE = -1;

/** How well a choice fits; the lower, the better. */
function rankOf({ value, label, aliases = [] }: Choice, wanted: string): number {
  const name = fold(label);
  const others = aliases.map(fold);
  if (fold(value) === wanted || name === wanted || others.includes(wanted)) return EXACT;
  if (name.startsWith(wanted)) return 1;
  if (others.some((other) => other.startsWith(wanted))) return 2;
  return name.includes(wanted) ? 3 : NONE;
}

const rank = (choices: readonly Choice[], text: string) => {
  const wanted = fold(text);
  return choices
    .map((choice) => ({ choice, rank: rankOf(choice, wanted) }))
    .filter((found) => found.rank !== NONE)
    .sort((a, b) => a.rank - b.rank);
};

/** The best first; a code or another name finds its choice, too. */
export const searchChoices = (choices: readonly Choice[], text: string): readonly Choice[] =>
  rank(choices, text).map(({ choice }) => choice);

/** The one that is meant beyond doubt: the only one that is called so, or the only one that fits at all. */
export function findChoice(choices: readonly Choice[], text: string): Choice | undefined {
  const found = rank(choices, text);
  const exact = found.filter((one) => one.rank === EXACT);
  const [only, ...others] = exact.length > 0 ? exact : found;
  return others.length === 0 ? only?.choice : undefined;
}
