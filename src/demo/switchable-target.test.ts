import { expect, test } from "bun:test";
import { SwitchableTarget } from "./switchable-target.ts";

const LONG_MS = 60_000;

test("work in flight ends before anything starts on the new target", async () => {
  const target = new SwitchableTarget("old");
  const slow = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = target.run(async (name) => {
    await slow.promise;
    order.push(`first on ${name}`);
  });
  const switched = target.switchTo("new", LONG_MS).then(() => order.push("switched"));
  const second = target.run(async (name) => order.push(`second on ${name}`));
  slow.resolve();
  await Promise.all([first, switched, second]);
  expect(order.indexOf("first on old")).toBe(0);
  expect(order).toContain("second on new");
});

test("work that takes too long ends on the old target and delays nothing else", async () => {
  const target = new SwitchableTarget("old");
  const endless = Promise.withResolvers<void>();
  const first = target.run(async (name) => {
    await endless.promise;
    return name;
  });
  await target.switchTo("new", 1);
  expect(await target.run(async (name) => name)).toBe("new");
  endless.resolve();
  expect(await first).toBe("old");
});

test("work that fails counts as ended", async () => {
  const target = new SwitchableTarget("old");
  const failing = target.run(() => Promise.reject(new Error("broken")));
  const switched = target.switchTo("new", LONG_MS);
  await expect(failing).rejects.toThrow("broken");
  await switched;
});
