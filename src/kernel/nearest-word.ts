/** The candidate that was probably meant: few edits away, measured by the length of what was typed. */
export function findNearest(typed: string, candidates: readonly string[]): string | undefined {
  const editsMax = Math.max(2, Math.floor(typed.length / 3));
  return candidates
    .filter(({ length }) => Math.abs(length - typed.length) <= editsMax)
    .map((candidate) => ({ candidate, edits: editsBetween(typed, candidate) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
