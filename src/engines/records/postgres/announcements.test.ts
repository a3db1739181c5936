import { expect, test } from "bun:test";
import { Announcements, RUNNING_MAX } from "./announcements.ts";

/** Announcements that end when they are told to. */
function heldAnnouncements() {
  const held: PromiseWithResolvers<void>[] = [];
  const announcements = new Announcements(() => {
    const each = Promise.withResolvers<void>();
    held.push(each);
    return each.promise;
  });
  return { held, announcements };
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await new Promise(setImmediate);
  return settled;
};

test("a queue's announcements are known until the last has ended, even if one failed", async () => {
  const { held, announcements } = heldAnnouncements();
  const running = [announcements.run("one"), announcements.run("one")];
  expect(["one", "two"].map((queue) => announcements.isRunning(queue))).toEqual([true, false]);
  held[0]?.reject(new Error("away"));
  await expect(running[0]).rejects.toThrow("away");
  expect(announcements.isRunning("one")).toBe(true);
  held[1]?.resolve();
  await running[1];
  expect(announcements.isRunning("one")).toBe(false);
});

test("there is room for more as soon as one of many has ended", async () => {
  const { held, announcements } = heldAnnouncements();
  const running = Array.from({ length: RUNNING_MAX }, async () => {
    await announcements.room("one");
    await announcements.run("one").catch(() => {});
  });
  await new Promise(setImmediate);
  expect(held).toHaveLength(RUNNING_MAX);
  const room = announcements.room("one");
  expect(await isSettled(room)).toBe(false);
  await announcements.room("two");
  held[3]?.reject(new Error("away"));
  await room;
  for (const { resolve } of held) resolve();
  await Promise.all(running);
});
