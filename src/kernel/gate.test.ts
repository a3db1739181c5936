import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { type Gate, gate } from "./gate.ts";

const LONG_MS = 60_000;
const refusal = () => new Error("full");

/** Starts work that records its name when it is let in and then runs until it is ended. */
function workers(pass: Gate) {
  const started: string[] = [];
  const start = (name: string, signal?: AbortSignal) => {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const done = pass(() => {
      started.push(name);
      return promise;
    }, signal);
    done.catch(() => {});
    return { done, end };
  };
  return { started, start };
}

test("work starts as places become free, in the order it came", async () => {
  const { started, start } = workers(gate(2));
  const [a, b, c, d] = [start("a"), start("b"), start("c"), start("d")];
  await until("two are running", () => started.length === 2);
  b.end();
  await until("a third one runs", () => started.length === 3);
  expect(started).toEqual(["a", "b", "c"]);
  for (const { end } of [a, c, d]) end();
  await Promise.all([a.done, c.done, d.done]);
  expect(started).toEqual(["a", "b", "c", "d"]);
});

test("work that fails frees its place", async () => {
  const pass = gate(1);
  const failed = pass(() => Promise.reject(new Error("no")));
  const next = pass(async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("a full queue refuses newcomers at once and keeps everyone in it", async () => {
  const { started, start } = workers(gate(1, { waitingMax: 1, waitMsMax: LONG_MS, refusal }));
  const [running, waiting, refused] = [start("running"), start("waiting"), start("refused")];
  await expect(refused.done).rejects.toThrow("full");
  running.end();
  waiting.end();
  await waiting.done;
  expect(started).toEqual(["running", "waiting"]);
});

test("without a queue to wait in, what finds no place is refused", async () => {
  const { start } = workers(gate(1, { waitingMax: 0, refusal }));
  const running = start("running");
  await expect(start("refused").done).rejects.toThrow("full");
  running.end();
  await running.done;
  const next = start("next");
  next.end();
  await next.done;
});

test("a caller that waits too long is refused and takes no one's place", async () => {
  const { started, start } = workers(gate(1, { waitingMax: 9, waitMsMax: 1, refusal }));
  const [running, waiting] = [start("running"), start("waiting")];
  await expect(waiting.done).rejects.toThrow("full");
  running.end();
  await running.done;
  const next = start("next");
  next.end();
  await next.done;
  expect(started).toEqual(["running", "next"]);
});

test("a caller whose signal aborts gets its reason and takes no one's place", async () => {
  const { started, start } = workers(gate(1));
  const running = start("running");
  const reason = new Error("closed");
  const leaving = new AbortController();
  const waiting = start("waiting", leaving.signal);
  const next = start("next");
  leaving.abort(reason);
  await expect(waiting.done).rejects.toBe(reason);
  await expect(start("late", leaving.signal).done).rejects.toBe(reason);
  running.end();
  next.end();
  await next.done;
  expect(started).toEqual(["running", "next"]);
});
