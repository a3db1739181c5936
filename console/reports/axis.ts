const LINES = 5;

/** From 0 to at least the greatest value in even, round steps; counts have no halves. */
export function countTicks(greatest: number): readonly number[] {
  const rough = Math.max(1, greatest) / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  const count = Math.max(1, Math.ceil(greatest / whole));
  return Array.from({ length: count + 1 }, (_, index) => index * whole);
}

/** At most so many places out of `count`, evenly apart, the first among them. */
export function spreadIndexes(count: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
