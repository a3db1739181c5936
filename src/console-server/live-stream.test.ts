import { afterEach, beforeEach, expect, test } from "bun:test";
import type { JournalConsumer } from "#clicks/ingestion/journal-consumer.ts";
import { LiveClicks } from "#clicks/live/live-clicks.ts";
import type { LiveClick } from "#clicks/live/live-exchange.ts";
import type { Click } from "#engines/clicks/click-format.ts";
import { systemClock } from "#kernel/clock.ts";
import { clickSlice } from "#test/support/click-slices.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { liveStream } from "./live-stream.ts";

let store: TestRecords;
beforeEach(() => {
  store = openTestRecords();
});
afterEach(() => store.close());

const stores: JournalConsumer = {
  name: "test",
  positionOf: async () => 0,
  consume: async () => {},
  forgetAllBut: async () => {},
};

const click = (values: Partial<Click>): Click => ({
  ...plainClick,
  at_ms: Date.now(),
  account_no: 1,
  link_no: 1,
  ...values,
});

const slicesOf = (clicks: readonly Click[]) => [clickSlice(clicks)];

let listeners = 0;
const openFor = (accountNo: number, live: LiveClicks, isAllowed: () => Promise<boolean>, listenerId: string) =>
  liveStream({ live, records: store.records, accountNo, listenerId, isAllowed, heartbeatMs: 5 });
const open = (live: LiveClicks, isAllowed: () => Promise<boolean>, listenerId = `ses_${++listeners}`) =>
  openFor(1, live, isAllowed, listenerId);

test("a stream ends once its reader loses access", async () => {
  let isAllowed = true;
  const reader = open(new LiveClicks(systemClock), async () => isAllowed).getReader();
  const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await text()).toBe(": connected\n\n");
  expect(await text()).toBe(": still here\n\n");
  isAllowed = false;
  const endsAt = Date.now() + 5000;
  while (!(await reader.read()).done) expect(Date.now()).toBeLessThan(endsAt);
});

test("a stream ends if the access check fails", async () => {
  const reader = open(new LiveClicks(systemClock), () => Promise.reject(new Error("no records"))).getReader();
  const texts: string[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    texts.push(new TextDecoder().decode(part.value));
  }
  expect(texts).toEqual([": connected\n\n"]);
});

test("one session can have at most ten streams", async () => {
  const live = new LiveClicks(systemClock);
  const streams = Array.from({ length: 10 }, () => open(live, async () => true, "ses_greedy"));
  expect(() => open(live, async () => true, "ses_greedy")).toThrow("Too many");
  streams.push(open(live, async () => true));
  for (const stream of streams) await stream.cancel();
});

test("at most a hundred streams are open, and a closed one frees its slot", async () => {
  const live = new LiveClicks(systemClock);
  const streams = Array.from({ length: 100 }, () => open(live, async () => true));
  expect(() => open(live, async () => true)).toThrow("Too many");
  await streams[0]?.cancel();
  const next = open(live, async () => true);
  for (const stream of [...streams.slice(1), next]) await stream.cancel();
});

test("no account takes all slots: others get their share from the account with most", async () => {
  const live = new LiveClicks(systemClock);
  const ended = new Map<number, number>();
  const watch = (accountNo: number): boolean => {
    listeners += 1;
    const onEnd = () => ended.set(accountNo, (ended.get(accountNo) ?? 0) + 1);
    return live.watch({ accountNo, listenerId: `ses_${listeners}`, onClicks: () => {}, onEnd }) !== null;
  };
  const tryTo = (accountNo: number, times: number): number =>
    Array.from({ length: times }, () => watch(accountNo)).filter(Boolean).length;
  expect(tryTo(1, 150)).toBe(100);
  expect(tryTo(2, 150)).toBe(50);
  expect(ended).toEqual(new Map([[1, 50]]));
  // Both have as many as each other, and a third takes from both in turn.
  expect(tryTo(3, 150)).toBe(33);
  expect([...ended.values()].reduce((sum, count) => sum + count)).toBe(83);
  expect([tryTo(1, 1), tryTo(2, 1)]).toEqual([0, 0]);
});

test("a stream that makes room for another account ends", async () => {
  const live = new LiveClicks(systemClock);
  const streams = Array.from({ length: 100 }, () => open(live, async () => true));
  const other = openFor(2, live, async () => true, "ses_other");
  const reader = streams[0]?.getReader();
  const endsAt = Date.now() + 5000;
  while (!(await reader?.read())?.done) expect(Date.now()).toBeLessThan(endsAt);
  for (const stream of [...streams.slice(1), other]) await stream.cancel();
});

test("listeners get recent human clicks of their own account, the last fifty of a burst", async () => {
  const live = new LiveClicks(systemClock);
  const heard: LiveClick[] = [];
  live.watch({ accountNo: 1, listenerId: "ses_1", onClicks: (clicks) => heard.push(...clicks), onEnd: () => {} });
  const consumer = live.watching(stores);
  const old = Date.now() - 120_000;
  await consumer.consume(
    slicesOf([click({ link_no: 7 }), click({ bot: true }), click({ account_no: 2 }), click({ at_ms: old })]),
  );
  expect(heard.map(({ link_no }) => link_no)).toEqual([7]);
  heard.length = 0;
  await consumer.consume(slicesOf(Array.from({ length: 80 }, (_, n) => click({ link_no: n + 1 }))));
  expect(heard.map(({ link_no }) => link_no)).toEqual(Array.from({ length: 50 }, (_, n) => n + 31));
});

test("the last clicks of many slices are sent, without blocking the event loop", async () => {
  const live = new LiveClicks(systemClock);
  const heard: LiveClick[] = [];
  live.watch({ accountNo: 1, listenerId: "ses_1", onClicks: (clicks) => heard.push(...clicks), onEnd: () => {} });
  const now = Date.now();
  const slices = Array.from({ length: 16 }, (_, slice) =>
    slicesOf(Array.from({ length: 20 }, (_, n) => click({ at_ms: now + slice, link_no: 20 * slice + n + 1 }))),
  );
  let turns = 0;
  let isTold = false;
  const countTurns = (): void => {
    turns += 1;
    if (!isTold) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await live.watching(stores).consume(slices.flat());
  isTold = true;
  expect(turns).toBeGreaterThanOrEqual(slices.length);
  expect(heard.map(({ link_no }) => link_no)).toEqual(Array.from({ length: 50 }, (_, n) => n + 271));
});

test("a failed consumer doesn't send repeated clicks", async () => {
  const live = new LiveClicks(systemClock);
  const heard: LiveClick[] = [];
  live.watch({ accountNo: 1, listenerId: "ses_1", onClicks: (clicks) => heard.push(...clicks), onEnd: () => {} });
  const failing = live.watching({ ...stores, consume: async () => Promise.reject(new Error("disk full")) });
  await expect(failing.consume(slicesOf([click({})]))).rejects.toThrow("disk full");
  expect(heard).toEqual([]);
});
