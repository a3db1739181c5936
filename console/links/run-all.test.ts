import { expect, test } from "bun:test";
import { CallError } from "#console/api/call.ts";
import { runAll } from "./run-all.ts";

const items = Array.from({ length: 20 }, (_, index) => index);

test("few run at a time, all are done, and progress is told", async () => {
  let running = 0;
  let most = 0;
  const told: number[] = [];
  const done = new Set<number>();
  const work = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    done.add(item);
  };
  const { failures } = await runAll(items, work, { onProgress: (count) => told.push(count) });
  expect(failures).toEqual([]);
  expect([...done].sort((a, b) => a - b)).toEqual(items);
  expect(most).toBe(4);
  expect(told.at(-1)).toBe(items.length);
});

test("what fails is told with its reason and stops nothing", async () => {
  const { failures } = await runAll(items, async (item) => {
    if (item % 10 === 3) throw new CallError("plan_limit", "Too many.");
  });
  expect(failures.map(({ item, error }) => [item, error.message])).toEqual([
    [3, "Too many."],
    [13, "Too many."],
  ]);
});

test("a request that came too early is tried again when the server says so", async () => {
  let tries = 0;
  const { failures } = await runAll([1], async () => {
    tries += 1;
    if (tries === 1) throw new CallError("rate_limited", "Slow down.", { retryAfterSeconds: 0.01 });
  });
  expect([tries, failures]).toEqual([2, []]);
});
