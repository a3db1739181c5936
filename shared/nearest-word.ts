/** Words as short as this resemble each other by chance: `page` is two edits from `tag`. */
const SHORT_LENGTH_MAX = 4;

/** The candidate that was probably meant: in capitals, or few edits away, measured by the length of what was typed. */
export function findNearest(typed: string, candidates: readonly string[]): string | undefined {
  const folded = typed.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === folded);
  if (same !== undefined) return same;
  const editsMax = typed.length <= SHORT_LENGTH_MAX ? 1 : Math.max(2, Math.floor(typed.length / 3));
  return candidates
    .filter(({ length }) => Math.abs(length - typed.length) <= editsMax)
    .map((candidate) => ({ candidate, edits: editsBetween(typed, candidate) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** Letters added, left out, replaced, or swapped with the next one. */
function editsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
