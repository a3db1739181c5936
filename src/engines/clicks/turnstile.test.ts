import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { ClicksUnavailable } from "./clicks-engine.ts";
import { turnstile } from "./turnstile.ts";

const LONG_MS = 60_000;

/** Passes that note their names when they are let in, and stay until they are told to leave. */
function visits(pass: ReturnType<typeof turnstile>["pass"]) {
  const entered: string[] = [];
  const visit = (name: string) => {
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    const passed = pass(() => {
      entered.push(name);
      return promise;
    });
    passed.catch(() => {});
    return { passed, leave };
  };
  return { entered, visit };
}

test("callers are let in as places get free, in the order they came", async () => {
  const { entered, visit } = visits(turnstile(2).pass);
  const [a, b, c, d] = [visit("a"), visit("b"), visit("c"), visit("d")];
  await until("two are inside", () => entered.length === 2);
  b.leave();
  await until("a third one is let in", () => entered.length === 3);
  expect(entered).toEqual(["a", "b", "c"]);
  for (const { leave } of [a, c, d]) leave();
  await Promise.all([a.passed, c.passed, d.passed]);
  expect(entered).toEqual(["a", "b", "c", "d"]);
});

test("whoever finds too many waiting is turned away", async () => {
  const { entered, visit } = visits(turnstile(1, { waitingMax: 1, waitMsMax: LONG_MS }).pass);
  const [inside, waiting, tooMany] = [visit("inside"), visit("waiting"), visit("too many")];
  await expect(tooMany.passed).rejects.toThrow(ClicksUnavailable);
  inside.leave();
  waiting.leave();
  await waiting.passed;
  expect(entered).toEqual(["inside", "waiting"]);
});

test("whoever waits for too long is turned away, and takes no place from others", async () => {
  const { entered, visit } = visits(turnstile(1, { waitingMax: 9, waitMsMax: 1 }).pass);
  const [inside, waiting] = [visit("inside"), visit("waiting")];
  await expect(waiting.passed).rejects.toThrow(ClicksUnavailable);
  inside.leave();
  await inside.passed;
  const next = visit("next");
  next.leave();
  await next.passed;
  expect(entered).toEqual(["inside", "next"]);
});

test("whoever has a reason to wait no longer goes away with it, and takes no place from others", async () => {
  const { pass } = turnstile(1);
  const { entered, visit } = visits(pass);
  const inside = visit("inside");
  const reason = new Error("closed");
  const leaving = new AbortController();
  const waiting = pass(async () => void entered.push("waiting"), leaving.signal);
  const next = visit("next");
  leaving.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(pass(async () => void entered.push("late"), leaving.signal)).rejects.toBe(reason);
  inside.leave();
  next.leave();
  await next.passed;
  expect(entered).toEqual(["inside", "next"]);
});
