import { expect } from "bun:test";

const AT_ONCE = 4;
const REFUSED = "429 rate_limited";

/**
 * Expects that attempts are throttled from now on: the next one passes, and each further one only after a wait, at first
 * a second, that doubles. Several go out at once; on a busy machine even then one may take longer than the first waits.
 */
export async function expectThrottled(attempt: (n: number) => Promise<string>, passed: string): Promise<void> {
  const startedAt = performance.now();
  const outcomes: string[] = [];
  do {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => outcomes.length + index);
    outcomes.push(...(await Promise.all(numbers.map(attempt))));
  } while (!outcomes.includes(REFUSED));
  const seconds = (performance.now() - startedAt) / 1000;
  expect(new Set(outcomes)).toEqual(new Set([passed, REFUSED]));
  const passes = outcomes.filter((outcome) => outcome === passed).length;
  expect(passes).toBeLessThanOrEqual(1 + Math.floor(Math.log2(seconds + 1)));
}
