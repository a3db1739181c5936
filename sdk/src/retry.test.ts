import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { KurzConnectionError, readError, readRetryAfter } from "./kurz-error.ts";
import { findRetryDelayMs, isRepeatable, sleep } from "./retry.ts";

const answered = (status: number, code: string, headers: Record<string, string> = {}) =>
  readError(status, new Headers(headers), { error: { code, message: "No.", request_id: "req_1" } });
const lost = new KurzConnectionError("network", "gone", undefined);
const delayOf = (error: unknown, repeatable = true, retries = 0) =>
  findRetryDelayMs({ error, repeatable, retries, random: () => 1 });

describe("what is retried", () => {
  test.each([
    [429, "rate_limited"],
    [409, "idempotency_in_progress"],
  ])("%i %s, also for a call that may not be repeated: nothing was done", (status, code) => {
    expect(delayOf(answered(status, code), true)).toBe(500);
    expect(delayOf(answered(status, code), false)).toBe(500);
  });

  test.each([500, 502, 503, 504])("%i only for a call that may be repeated", (status) => {
    expect(delayOf(answered(status, "internal_error"), true)).toBe(500);
    expect(delayOf(answered(status, "internal_error"), false)).toBeUndefined();
  });

  test("a lost connection, only for a call that is safe to repeat", () => {
    expect(delayOf(lost, true)).toBe(500);
    expect(delayOf(lost, false)).toBeUndefined();
  });

  test.each([
    [400, "invalid_json"],
    [403, "plan_limit"],
    [404, "not_found"],
    [409, "slug_taken"],
    [409, "invalid_state"],
    [412, "precondition_failed"],
    [422, "validation_failed"],
  ])("%i %s never", (status, code) => {
    expect(delayOf(answered(status, code))).toBeUndefined();
  });

  test("caller errors, never", () => {
    expect(delayOf(new TypeError("not a path"))).toBeUndefined();
  });
});

test("every call is safe to repeat, but a patch without a version, and what its operation forbids", () => {
  const patch = { method: "PATCH", repeatable: true } as const;
  expect(isRepeatable(patch, undefined)).toBe(false);
  expect(isRepeatable(patch, "*")).toBe(false);
  expect(isRepeatable(patch, '"3"')).toBe(true);
  for (const method of ["GET", "POST", "DELETE"] as const) {
    expect(isRepeatable({ method, repeatable: true }, undefined)).toBe(true);
    expect(isRepeatable({ method, repeatable: false }, undefined)).toBe(false);
  }
});

test("Retry-After is honored exactly up to a minute, and longer waits are left to the caller", () => {
  expect(delayOf(answered(429, "rate_limited", { "Retry-After": "7" }))).toBe(7000);
  expect(delayOf(answered(429, "rate_limited", { "Retry-After": "60" }))).toBe(60_000);
  expect(delayOf(answered(503, "unavailable", { "Retry-After": "61" }))).toBeUndefined();
});

test("a Retry-After date is relative to now, and an invalid one is ignored", () => {
  const headers = (value: string) => new Headers({ "Retry-After": value });
  const now = Date.parse("2026-01-02T03:04:05.500Z");
  expect(readRetryAfter(headers("Fri, 02 Jan 2026 03:04:15 GMT"), now)).toBe(10);
  expect(readRetryAfter(headers("Fri, 02 Jan 2026 03:00:00 GMT"), now)).toBe(0);
  expect(readRetryAfter(headers("soon"), now)).toBeNull();
});

test("without Retry-After the wait doubles up to eight seconds, with up to half of it random", () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.nat({ max: 50 }), random, (retries, drawn) => {
      const ceiling = Math.min(8000, 500 * 2 ** retries);
      const delay = findRetryDelayMs({ error: lost, repeatable: true, retries, random: () => drawn }) ?? -1;
      expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
      expect(delay).toBeLessThanOrEqual(ceiling);
    }),
  );
});

test("an aborted wait ends immediately", async () => {
  const controller = new AbortController();
  const waiting = sleep(60_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(sleep(60_000, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});
