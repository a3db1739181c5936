import { expect, test } from "bun:test";
import fc from "fast-check";
import { nextResetMs } from "./demo-generation.ts";

const MINUTE_MS = 60_000;
const nextOf = (time: string, demoResetMinutes: number): string =>
  new Date(nextResetMs(Date.parse(`2026-05-04T${time}Z`), { demoResetMinutes })).toISOString();

test("the demo resets every full hour, counted from midnight UTC", () => {
  expect(nextOf("09:59:59.999", 60)).toBe("2026-05-04T10:00:00.000Z");
  expect(nextOf("10:00:00", 60)).toBe("2026-05-04T11:00:00.000Z");
  expect(nextOf("23:59:00", 60)).toBe("2026-05-05T00:00:00.000Z");
});

test("if the interval doesn't divide the day, the last one is shorter", () => {
  expect(nextOf("23:05:00", 700)).toBe("2026-05-04T23:20:00.000Z");
  expect(nextOf("23:20:00", 700)).toBe("2026-05-05T00:00:00.000Z");
});

test("the next reset is always ahead, and never later than the interval", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1440 }), (nowMs, demoResetMinutes) => {
      const aheadMs = nextResetMs(nowMs, { demoResetMinutes }) - nowMs;
      expect(aheadMs).toBeGreaterThan(0);
      expect(aheadMs).toBeLessThanOrEqual(demoResetMinutes * MINUTE_MS);
    }),
  );
});
