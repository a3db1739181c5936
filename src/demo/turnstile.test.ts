import { expect, test } from "bun:test";
import { Turnstile } from "./turnstile.ts";

const LONG_MS = 60_000;

test("what is in flight ends before anything comes to the new target", async () => {
  const turnstile = new Turnstile("old");
  const slow = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = turnstile.pass(async (target) => {
    await slow.promise;
    order.push(`first on ${target}`);
  });
  const switched = turnstile.switchTo("new", LONG_MS).then(() => order.push("switched"));
  const second = turnstile.pass(async (target) => order.push(`second on ${target}`));
  slow.resolve();
  await Promise.all([first, switched, second]);
  expect(order.indexOf("first on old")).toBe(0);
  expect(order).toContain("second on new");
});

test("what takes too long ends where it began, and holds nobody up", async () => {
  const turnstile = new Turnstile("old");
  const endless = Promise.withResolvers<void>();
  const first = turnstile.pass(async (target) => {
    await endless.promise;
    return target;
  });
  await turnstile.switchTo("new", 1);
  expect(await turnstile.pass(async (target) => target)).toBe("new");
  endless.resolve();
  expect(await first).toBe("old");
});

test("work that fails counts as ended", async () => {
  const turnstile = new Turnstile("old");
  const failing = turnstile.pass(() => Promise.reject(new Error("broken")));
  const switched = turnstile.switchTo("new", LONG_MS);
  await expect(failing).rejects.toThrow("broken");
  await switched;
});
