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

export interface Ratio {
  readonly ratio: number;
  /** Contains the true ratio with a probability of nine in ten, whatever the distribution. */
  readonly range: readonly [from: number, to: number];
}

const DOUBT_PER_SIDE = 0.05;

/**
 * The same with its range: of the sorted ratios, as many are left out on each side as the sign test allows. With fewer
 * than five rounds it is that of all ratios, which is too narrow.
 */
export function ratioOfRounds(ours: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN)).sort((a, b) => a - b);
  let left = 0;
  // The probability that at most `left` of all rounds are on one side of the true ratio.
  let chance = 0.5 ** ratios.length;
  for (let term = chance; left < ratios.length / 2 - 1; left += 1) {
    term *= (ratios.length - left) / (left + 1);
    chance += term;
    if (chance > DOUBT_PER_SIDE) break;
  }
  return { ratio: median(ratios), range: [ratios[left] ?? Number.NaN, ratios.at(-1 - left) ?? Number.NaN] };
}

/**
 * Compares samples that aren't pairs, such as of servers that were started several times: the median of all ratios of one
 * of ours to one of the baseline (Hodges and Lehmann), and the range by the test of Mann and Whitney.
 */
export function ratioOfSamples(ours: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = ours.flatMap((own) => baseline.map((other) => own / other)).sort((a, b) => a - b);
  const orders = ordersByRank(ours.length, baseline.length);
  const all = orders.reduce((sum, count) => sum + count, 0);
  let left = 0;
  for (let below = 0; left < ratios.length / 2 - 1; left += 1) {
    below += orders[left] ?? 0;
    if (below / all > DOUBT_PER_SIDE) break;
  }
  return { ratio: median(ratios), range: [ratios[left] ?? Number.NaN, ratios.at(-1 - left) ?? Number.NaN] };
}

/** In how many of all orders of the samples of two kinds there are 0, 1, 2 … pairs with the first kind behind. */
function ordersByRank(first: number, second: number): number[] {
  if (first === 0 || second === 0) return [1];
  const orders = Array<number>(first * second + 1).fill(0);
  const add = (pairs: number, count: number): void => {
    orders[pairs] = (orders[pairs] ?? 0) + count;
  };
  // The last of all samples is of the first kind, behind all of the second, or of the second kind.
  for (const [pairs, count] of ordersByRank(first - 1, second).entries()) add(pairs + second, count);
  for (const [pairs, count] of ordersByRank(first, second - 1).entries()) add(pairs, count);
  return orders;
}
