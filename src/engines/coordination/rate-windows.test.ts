import { expect, test } from "bun:test";
import fc from "fast-check";
import { localRateWindows } from "./rate-windows.ts";

const WINDOW_MS = 60_000;

test("no window of 60 seconds ever holds more than the limit, whatever the arrivals", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 300 }),
      async (limit, gaps) => {
        let at = 0;
        const windows = localRateWindows(WINDOW_MS, () => at);
        const accepted: number[] = [];
        for (const gap of gaps) {
          at += gap;
          if ((await windows.take("token", limit)).allowed) accepted.push(at);
        }
        accepted.forEach((time, index) => {
          const before = accepted[index - limit];
          if (before !== undefined) expect(time - before).toBeGreaterThan(WINDOW_MS);
        });
      },
    ),
  );
});

test("waiting as long as the decision says always allows another request", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 5, maxLength: 50 }), async (gaps) => {
      let at = 0;
      const windows = localRateWindows(WINDOW_MS, () => at);
      for (const gap of gaps) {
        at += gap;
        const { allowed, freesInMs } = await windows.take("token", 3);
        if (allowed) continue;
        at += freesInMs + 1;
        expect((await windows.take("token", 3)).allowed).toBe(true);
      }
    }),
  );
});

test("keys do not share a window, and rejected requests do not count", async () => {
  let at = 0;
  const windows = localRateWindows(WINDOW_MS, () => at);
  expect(await windows.take("a", 1)).toMatchObject({ allowed: true, remaining: 0 });
  expect((await windows.take("b", 1)).allowed).toBe(true);
  for (at = 1000; at < WINDOW_MS; at += 1000) expect((await windows.take("a", 1)).allowed).toBe(false);
  at = WINDOW_MS + 1;
  expect((await windows.take("a", 1)).allowed).toBe(true);
});
