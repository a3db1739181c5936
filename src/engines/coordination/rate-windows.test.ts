import { expect, test } from "bun:test";
import fc from "fast-check";
import { localRateWindows } from "./rate-windows.ts";

const WINDOW_MS = 60_000;

test("no window of 60 seconds ever holds more than the limit, whatever the arrivals", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 300 }),
      (limit, gaps) => {
        let at = 0;
        const windows = localRateWindows(WINDOW_MS, () => at);
        const accepted: number[] = [];
        for (const gap of gaps) {
          at += gap;
          if (windows.take("token", limit).allowed) accepted.push(at);
        }
        accepted.forEach((time, index) => {
          const before = accepted[index - limit];
          if (before !== undefined) expect(time - before).toBeGreaterThan(WINDOW_MS);
        });
      },
    ),
  );
});

test("waiting as long as the decision says always allows another request", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 5, maxLength: 50 }), (gaps) => {
      let at = 0;
      const windows = localRateWindows(WINDOW_MS, () => at);
      for (const gap of gaps) {
        at += gap;
        const { allowed, freesInMs } = windows.take("token", 3);
        if (allowed) continue;
        at += freesInMs + 1;
        expect(windows.take("token", 3).allowed).toBe(true);
      }
    }),
  );
});

test("keys do not share a window, and rejected requests do not count", () => {
  let at = 0;
  const windows = localRateWindows(WINDOW_MS, () => at);
  expect(windows.take("a", 1)).toMatchObject({ allowed: true, remaining: 0 });
  expect(windows.take("b", 1).allowed).toBe(true);
  for (at = 1000; at < WINDOW_MS; at += 1000) expect(windows.take("a", 1).allowed).toBe(false);
  at = WINDOW_MS + 1;
  expect(windows.take("a", 1).allowed).toBe(true);
});
