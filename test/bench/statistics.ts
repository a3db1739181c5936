/** The value below which the given share of all values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Each value divided by the one of the same round, since a disturbance affects both. */
export const medianRatio = (ours: readonly number[], baseline: readonly number[]): number =>
  median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)));
