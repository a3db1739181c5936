const TABLE_SIZE = 1024;

/** Picks values by weight, from a table in which each value occurs as often as its weight says: one lookup per pick. */
export function weightedChoice<T>(
  choices: readonly (readonly [value: T, weight: number])[],
  random: () => number,
): () => T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  const table: T[] = [];
  let sum = 0;
  for (const [value, weight] of choices) {
    sum += weight;
    while (table.length < Math.round((sum / total) * TABLE_SIZE)) table.push(value);
  }
  return () => table[Math.floor(random() * TABLE_SIZE)] as T;
}
