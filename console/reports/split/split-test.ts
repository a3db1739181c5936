/** A way of a split: what it should get, and what it got. */
export interface CountedWay {
  readonly weight: number;
  /** Distinct visitors of each day, since each of them is one throw of the dice: their further clicks follow it. */
  readonly visitors: number;
}

export interface TestedWay {
  /** Of the whole, from 0 to 1. */
  readonly planned: number;
  readonly share: number;
  /** Share minus plan, in its own standard deviations. */
  readonly deviation: number;
}

export type Verdict = "too-few" | "as-planned" | "doubtful" | "off";

export interface SplitTest {
  readonly verdict: Verdict;
  readonly visitors: number;
  /** From how many visitors on the split can be judged. */
  readonly visitorsNeeded: number;
  /** How often a split that works has a difference like this one or a greater one, from 0 to 1. */
  readonly chance: number;
  readonly ways: readonly TestedWay[];
}

// Below it, counts are too coarse for the approximation, as textbooks have it.
const EXPECTED_MIN = 5;
const DOUBTFUL_BELOW = 0.05;
const OFF_BELOW = 0.01;

/**
 * Whether the visitors were divided as planned, or differ from it by more than chance explains: Pearson's test of the
 * counts against the weights. For two ways it is the normal approximation of the binomial distribution.
 */
export function testSplit(counted: readonly CountedWay[]): SplitTest {
  const visitors = sumOf(counted, (way) => way.visitors);
  const weights = sumOf(counted, (way) => way.weight);
  const ways = counted.map((way): TestedWay => {
    const planned = way.weight / weights;
    const share = visitors === 0 ? 0 : way.visitors / visitors;
    const spread = Math.sqrt((planned * (1 - planned)) / visitors);
    return { planned, share, deviation: visitors === 0 ? 0 : (share - planned) / spread };
  });
  const least = Math.min(...ways.map(({ planned }) => planned));
  const visitorsNeeded = Math.ceil(EXPECTED_MIN / least);
  const distance = sumOf(ways, ({ planned, share }) => (visitors * (share - planned) ** 2) / planned);
  const chance = chiSquareTail(distance, ways.length - 1);
  return { verdict: judge(chance, visitors >= visitorsNeeded), visitors, visitorsNeeded, chance, ways };
}

function judge(chance: number, isEnough: boolean): Verdict {
  if (!isEnough) return "too-few";
  if (chance < OFF_BELOW) return "off";
  return chance < DOUBTFUL_BELOW ? "doubtful" : "as-planned";
}

/** The way that is farthest from its plan; of two that are equally far, the one that got more. */
export function farthestWay(ways: readonly TestedWay[]): number {
  const far = ({ deviation }: TestedWay): number => Math.abs(deviation) + (deviation > 0 ? ROUNDING : 0);
  const distances = ways.map(far);
  return distances.indexOf(Math.max(...distances));
}
const ROUNDING = 1e-9;

/** How likely a chi-squared number is to be at least `x`, by the recurrence of the incomplete gamma function. */
export function chiSquareTail(x: number, degrees: number): number {
  const half = x / 2;
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? erfc(Math.sqrt(half)) : Math.exp(-half);
  // half^a · e^-half / Γ(a + 1), for a = ½ or 1 at first.
  let term = isOdd ? 2 * Math.sqrt(half / Math.PI) * Math.exp(-half) : half * Math.exp(-half);
  for (let a = isOdd ? 0.5 : 1; a < degrees / 2; a += 1) {
    tail += term;
    term *= half / (a + 1);
  }
  return Math.min(Math.max(tail, 0), 1);
}

// Abramowitz and Stegun, 7.1.26: wrong by less than 1.5e-7, far finer than what is said in words.
const FACTORS = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];

function erfc(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = FACTORS.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return polynomial * Math.exp(-x * x);
}

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
