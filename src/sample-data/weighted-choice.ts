const PLACES = 1024;

/** Draws from a list by weight: each value stands in a table as often as it is to come, so that a draw is one look. */
export function weighted<T>(choices: readonly (readonly [value: T, weight: number])[], random: () => number): () => T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  const table: T[] = [];
  let sum = 0;
  for (const [value, weight] of choices) {
    sum += weight;
    while (table.length < Math.round((sum / total) * PLACES)) table.push(value);
  }
  return () => table[Math.floor(random() * PLACES)] as T;
}
