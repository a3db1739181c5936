import { expect, test } from "bun:test";
import { NamedQueues } from "./named-queues.ts";

test("work in one queue runs one after the other, and other queues don't wait for it", async () => {
  const queues = new NamedQueues({ waitingMax: 1, refusal: () => new Error("full") });
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  const run = (queue: string, name: string, until?: Promise<void>): Promise<void> =>
    queues.run(queue, async () => {
      events.push(`${name} starts`);
      await until;
      events.push(`${name} ends`);
    });
  const running = [run("a", "first", first.promise), run("a", "second")];
  await expect(run("a", "third")).rejects.toThrow("full");
  await run("b", "other");
  expect(events).toEqual(["first starts", "other starts", "other ends"]);
  first.resolve();
  await Promise.all(running);
  expect(events.slice(3)).toEqual(["first ends", "second starts", "second ends"]);
});

test("a queue goes on after work that failed", async () => {
  const queues = new NamedQueues({ waitingMax: 1, refusal: () => new Error("full") });
  const failing = queues.run("a", () => Promise.reject(new Error("failed")));
  const next = queues.run("a", async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});
