import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { startTurns } from "./turns.ts";

const HOUR_MS = 3_600_000;
const never = (error: unknown) => expect.unreachable(String(error));

test("a pause ends when there is something to do, or all is to end", async () => {
  let count = 0;
  const turns = startTurns({
    async turn() {
      count += 1;
      return count < 2;
    },
    intervalMs: HOUR_MS,
    onFailure: never,
  });
  await until("it has nothing more to do", () => count === 2);
  turns.wake();
  await until("it was woken", () => count === 3);
  await turns.stop();
  expect(count).toBe(3);
});

test("whoever is woken during a turn has another one", async () => {
  let count = 0;
  const turns = startTurns({
    async turn() {
      count += 1;
      if (count === 1) turns.wake();
      return false;
    },
    firstMs: 1,
    intervalMs: HOUR_MS,
    onFailure: never,
  });
  await until("it had another turn", () => count === 2);
  await turns.stop();
});

test("a failure is told and tried again", async () => {
  const failures: unknown[] = [];
  let count = 0;
  const turns = startTurns({
    async turn() {
      count += 1;
      if (count === 1) throw new Error("once");
      return false;
    },
    intervalMs: 1,
    onFailure: (error) => failures.push(error),
  });
  await until("it was tried again", () => count > 1);
  await turns.stop();
  expect(failures).toEqual([new Error("once")]);
});
