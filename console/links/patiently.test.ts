import { expect, test } from "bun:test";
import { CallError } from "#console/api/call.ts";
import { patiently } from "./patiently.ts";

test("a request that came too early is tried again when the server says so", async () => {
  let tries = 0;
  const answer = await patiently(async () => {
    tries += 1;
    if (tries === 1) throw new CallError("rate_limited", "Slow down.", { retryAfterSeconds: 0.01 });
    return "done";
  });
  expect([tries, answer]).toEqual([2, "done"]);
});

test("any other failure is told at once", async () => {
  let tries = 0;
  const failing = patiently(async () => {
    tries += 1;
    throw new CallError("plan_limit", "Too many.");
  });
  expect(await failing.catch((error: Error) => error.message)).toBe("Too many.");
  expect(tries).toBe(1);
});
