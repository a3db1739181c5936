import { expect, test } from "bun:test";
import { calmRefresh } from "./calm-refresh.ts";

/** A clock that moves when told to, and reports that take as long as they are told to. */
function stage(loadMs = 0) {
  let nowMs = 1_000_000;
  const due: { readonly atMs: number; readonly work: () => void }[] = [];
  const loads: number[] = [];
  const startMs = nowMs;
  const refresh = calmRefresh(
    async () => {
      loads.push(nowMs - startMs);
      nowMs += loadMs;
    },
    {
      now: () => nowMs,
      later(work, ms) {
        const timer = { atMs: nowMs + ms, work };
        due.push(timer);
        return () => void due.splice(due.indexOf(timer), 1);
      },
    },
  );
  const pass = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms;
    for (;;) {
      const index = due.findIndex(({ atMs }) => atMs <= untilMs);
      const [timer] = index < 0 ? [] : due.splice(index, 1);
      if (!timer) break;
      nowMs = Math.max(nowMs, timer.atMs);
      timer.work();
      await new Promise((resolve) => setTimeout(resolve));
    }
    nowMs = Math.max(nowMs, untilMs);
  };
  return { refresh, loads, pass };
}

test("a click is loaded once, after the time that it takes to be in the report", async () => {
  const { refresh, loads, pass } = stage();
  refresh.soon();
  await pass(60_000);
  expect(loads).toEqual([3000]);
});

test("clicks in a row are loaded together, and the last one is never left out", async () => {
  const { refresh, loads, pass } = stage();
  refresh.soon();
  await pass(900);
  refresh.soon();
  await pass(2000);
  // A hundred milliseconds before the report is loaded, which so far has only the clicks before it.
  refresh.soon();
  await pass(60_000);
  expect(loads).toEqual([3000, 6000]);
});

test("a report that takes long is loaded less often", async () => {
  const { refresh, loads, pass } = stage(1000);
  refresh.soon();
  await pass(4000);
  refresh.soon();
  await pass(60_000);
  expect(loads).toEqual([3000, 14_000]);
});

test("nothing is loaded for a page that was left", async () => {
  const { refresh, loads, pass } = stage();
  refresh.soon();
  refresh.stop();
  refresh.soon();
  await pass(60_000);
  expect(loads).toEqual([]);
});
