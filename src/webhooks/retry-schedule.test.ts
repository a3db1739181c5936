import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ATTEMPTS_MAX, type FailedAttempt, findRetryDelayMs } from "./retry-schedule.ts";

const NOW = Date.UTC(2026, 0, 2);
const failed = (attempts: number, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  attempts,
  isOverloaded: false,
  retryAfter: null,
  now: NOW,
  ...more,
});
const middle = () => 0.5;
const attempt = fc.integer({ min: 1, max: ATTEMPTS_MAX - 1 });
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

test("ten attempts are spread over 75.6 hours", () => {
  const pauses = Array.from({ length: ATTEMPTS_MAX }, (_, index) => findRetryDelayMs(failed(index + 1), middle));
  expect(pauses).toHaveLength(10);
  expect(pauses.at(-1)).toBeNull();
  const hours = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 3_600_000;
  expect(hours.toFixed(1)).toBe("75.6");
});

test("a delay is at most a fifth longer or shorter than scheduled", () => {
  fc.assert(
    fc.property(attempt, share, (attempts, random) => {
      const base = findRetryDelayMs(failed(attempts), middle) ?? 0;
      const pause = findRetryDelayMs(failed(attempts), () => random) ?? 0;
      expect(pause).toBeWithin(Math.floor(base * 0.8), Math.ceil(base * 1.2) + 1);
    }),
  );
});

test("an overloaded receiver gets at least a minute", () => {
  fc.assert(
    fc.property(attempt, share, (attempts, random) => {
      expect(findRetryDelayMs(failed(attempts, { isOverloaded: true }), () => random)).toBeGreaterThanOrEqual(60_000);
    }),
  );
});

describe("Retry-After", () => {
  const fiveMinutes = 300_000;
  test.each([
    ["600", 2 * fiveMinutes],
    ["450", 450_000],
    ["1", fiveMinutes],
    ["999999999", 2 * fiveMinutes],
    [new Date(NOW + 400_000).toUTCString(), 400_000],
    [new Date(NOW - 400_000).toUTCString(), fiveMinutes],
  ])("%s is honoured between the pause of the schedule and twice that", (retryAfter, pause) => {
    expect(findRetryDelayMs(failed(2, { retryAfter }), () => 0)).toBe(pause);
  });

  test("a value that is neither seconds nor a date is ignored", () => {
    for (const retryAfter of ["", "soon", "-5", "1e9", "\u0000"]) {
      expect(findRetryDelayMs(failed(2, { retryAfter }), middle)).toBe(fiveMinutes);
    }
  });

  test("never shortens an overloaded receiver's minute", () => {
    expect(findRetryDelayMs(failed(1, { retryAfter: "7", isOverloaded: true }))).toBe(60_000);
  });
});
