import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { watchForStalls } from "./stall-watch.ts";

test("what takes too long is told once, and the next again", async () => {
  let stalls = 0;
  const watch = watchForStalls(10, () => {
    stalls += 1;
  });
  watch.begin();
  await until("the first is told", () => stalls === 1);
  watch.end();
  watch.begin();
  await until("the second is told", () => stalls === 2);
  watch.stop();
});

test("what is done in time is not told, however much of it there is", async () => {
  let stalls = 0;
  const watch = watchForStalls(200, () => {
    stalls += 1;
  });
  const end = performance.now() + 500;
  while (performance.now() < end) {
    watch.begin();
    await new Promise((resolve) => setImmediate(resolve));
    watch.end();
  }
  watch.stop();
  expect(stalls).toBe(0);
});

test("an event loop that was held up itself hears what has happened first", async () => {
  let stalls = 0;
  const watch = watchForStalls(20, () => {
    stalls += 1;
  });
  watch.begin();
  setTimeout(() => watch.end(), 1);
  Bun.sleepSync(100);
  await Bun.sleep(50);
  watch.stop();
  expect(stalls).toBe(0);
});
