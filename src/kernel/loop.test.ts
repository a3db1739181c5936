import { expect, spyOn, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { startLoop } from "./loop.ts";

const HOUR_MS = 3_600_000;
const never = (error: unknown) => expect.unreachable(String(error));

test("runs follow each other until there is nothing more to do; a wake-up or a stop ends the pause", async () => {
  let count = 0;
  const loop = startLoop({
    async run() {
      count += 1;
      return count < 2;
    },
    intervalMs: HOUR_MS,
    onFailure: never,
  });
  await until("it has nothing more to do", () => count === 2);
  loop.wake();
  await until("it was woken", () => count === 3);
  await loop.stop();
  expect(count).toBe(3);
});

test("a wake-up during a run causes another one", async () => {
  let count = 0;
  const loop = startLoop({
    async run() {
      count += 1;
      if (count === 1) loop.wake();
      return false;
    },
    firstMs: 1,
    intervalMs: HOUR_MS,
    onFailure: never,
  });
  await until("it ran again", () => count === 2);
  await loop.stop();
});

test("a wake-up during the first pause causes one run", async () => {
  let count = 0;
  const loop = startLoop({
    async run() {
      count += 1;
      return false;
    },
    firstMs: HOUR_MS,
    intervalMs: HOUR_MS,
    onFailure: never,
  });
  loop.wake();
  await until("it ran", () => count > 0);
  // A second run would have followed the first within this turn.
  await Bun.sleep(0);
  await loop.stop();
  expect(count).toBe(1);
});

test("a failure is reported and retried", async () => {
  const failures: unknown[] = [];
  let count = 0;
  const loop = startLoop({
    async run() {
      count += 1;
      if (count === 1) throw new Error("once");
      return false;
    },
    intervalMs: 1,
    onFailure: (error) => failures.push(error),
  });
  await until("it was retried", () => count > 1);
  await loop.stop();
  expect(failures).toEqual([new Error("once")]);
});

test("the pause doubles with every failure in a row up to its limit, and starts over after a success", async () => {
  const timers = spyOn(globalThis, "setTimeout");
  const ended = Promise.withResolvers<void>();
  let count = 0;
  const loop = startLoop({
    async run() {
      count += 1;
      if (count === 8) ended.resolve();
      if (count !== 6) throw new Error("again");
      return true;
    },
    intervalMs: 1,
    retryMsMax: 4,
    onFailure() {},
  });
  await ended.promise;
  const pauses = timers.mock.calls.map(([, ms]) => ms);
  timers.mockRestore();
  await loop.stop();
  expect(pauses).toEqual([1, 2, 4, 4, 4, 0, 1]);
});

test("a stop waits for the current run, does not report its failure, and is the end", async () => {
  const started = Promise.withResolvers<void>();
  let count = 0;
  const loop = startLoop({
    async run(stopping) {
      count += 1;
      started.resolve();
      await new Promise((_, reject) => stopping.addEventListener("abort", () => reject(stopping.reason)));
      return true;
    },
    intervalMs: 1,
    onFailure: never,
  });
  await started.promise;
  await loop.stop();
  expect(count).toBe(1);
});

test("a loop that is stopped before its first run never runs", async () => {
  const loop = startLoop({ run: async () => never("it ran"), firstMs: HOUR_MS, intervalMs: HOUR_MS, onFailure: never });
  await loop.stop();
});

test("the pause after a run is as long as that run asks for", async () => {
  const longer = Promise.withResolvers<void>();
  let runs = 0;
  const loop = startLoop({
    async run() {
      runs += 1;
      if (runs === 3) longer.resolve();
      return false;
    },
    intervalMs: 1,
    longerMs: () => (runs === 3 ? HOUR_MS : 1),
    onFailure: never,
  });
  await longer.promise;
  await Bun.sleep(20);
  await loop.stop();
  expect(runs).toBe(3);
});
