import { expect, test } from "bun:test";
import { Pausable } from "./pausable.ts";

test("a pause begins when the work under way is done, and no work begins before it ends", async () => {
  const pausable = new Pausable();
  const events: string[] = [];
  const working = Promise.withResolvers<void>();
  const first = pausable.run(async () => {
    await working.promise;
    events.push("worked");
  });
  const pausing = pausable.pause().then((resume) => {
    events.push("paused");
    return resume;
  });
  working.resolve();
  await first;
  const resume = await pausing;
  await pausable.run(async () => void events.push("too early"));
  resume();
  await pausable.run(async () => void events.push("worked again"));
  expect(events).toEqual(["worked", "paused", "worked again"]);
});

test("of several pauses the last one counts, and each ends once only", async () => {
  const pausable = new Pausable();
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const [first, second] = [await pausable.pause(), await pausable.pause()];
  first();
  first();
  await pausable.run(work);
  expect(runs).toBe(0);
  second();
  await pausable.run(work);
  expect(runs).toBe(1);
});

test("work that fails is its caller's to know, and pauses all the same", async () => {
  const pausable = new Pausable();
  const failing = pausable.run(() => Promise.reject(new Error("failed")));
  const resume = await pausable.pause();
  await expect(failing).rejects.toThrow("failed");
  resume();
});
