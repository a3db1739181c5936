type Runs<T> = Readonly<Record<string, (round: number) => Promise<T>>>;

/**
 * Runs everything to be compared in turn, round after round, so that other load on the machine affects all of it. The
 * first round is warm-up. Every other round runs backwards, so that none always follows the same one.
 */
export async function interleave<T, R extends Runs<T>>(
  rounds: number,
  runs: R,
): Promise<{ readonly [K in keyof R]: Awaited<ReturnType<R[K]>>[] }> {
  const names = Object.keys(runs);
  const results: Record<string, T[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await runs[name]?.(round);
      if (round > 0 && result !== undefined) results[name]?.push(result);
    }
  }
  return results as { readonly [K in keyof R]: Awaited<ReturnType<R[K]>>[] };
}
