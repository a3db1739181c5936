import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { JournalConsumer } from "#clicks/ingestion/journal-consumer.ts";
import { LiveClicks } from "#clicks/live/live-clicks.ts";
import type { LiveClick } from "#clicks/live/live-exchange.ts";
import type { Coordination } from "#engines/coordination/coordination.ts";
import { systemClock } from "#kernel/clock.ts";
import { clickSlice } from "#test/support/click-slices.ts";
import { openTestNode } from "#test/support/coordination-nodes.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

let server: RedisServer;
const open: Coordination[] = [];

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

const stores: JournalConsumer = {
  name: "test",
  positionOf: async () => 0,
  consume: async () => {},
  forgetAllBut: async () => {},
};

async function openNode() {
  const node = await openTestNode(server);
  open.push(node);
  const live = new LiveClicks(systemClock, node.signals);
  const consumer = live.watching(stores);
  let links = 0;
  return {
    live,
    /** Ingests a click on a new link of the account, and returns the link's number. */
    async ingest(accountNo: number): Promise<number> {
      links += 1;
      const click = { ...plainClick, at_ms: Date.now(), account_no: accountNo, link_no: links, country: "DE" };
      await consumer.consume([clickSlice([click])]);
      return links;
    },
    watch(accountNo: number) {
      const seen: LiveClick[] = [];
      const onClicks = (clicks: readonly LiveClick[]) => void seen.push(...clicks);
      const end = live.watch({ accountNo, listenerId: `ses_${Math.random()}`, onClicks, onEnd() {} });
      return { seen, end: () => end?.() };
    },
  };
}

const published = async (): Promise<number> =>
  Number(/cmdstat_publish:calls=(\d+)/.exec(await server.cli("info", "commandstats"))?.[1] ?? 0);

test("a click on one node is shown to everyone who watches its account on another", async () => {
  const [ingesting, watching, other] = [await openNode(), await openNode(), await openNode()];
  const watchers = [watching.watch(1), watching.watch(1), other.watch(1), ingesting.watch(1)];
  const stranger = watching.watch(2);
  await until("all have seen a click", async () => {
    await ingesting.ingest(1);
    return watchers.every(({ seen }) => seen.length > 0);
  });
  // From now on nothing is missed, and nothing comes twice.
  const last = await ingesting.ingest(1);
  await until("all have seen the last click", () => watchers.every(({ seen }) => seen.at(-1)?.link_no === last));
  for (const { seen } of watchers) {
    const numbers = seen.map(({ link_no }) => link_no);
    expect(numbers).toEqual(Array.from({ length: seen.length }, (_, n) => last - seen.length + 1 + n));
    expect(seen.at(-1)).toMatchObject({ country: "DE" });
  }
  expect(Object.keys(watchers[0]?.seen[0] ?? {})).not.toContain("visitor");
  expect(stranger.seen).toEqual([]);
});

test("nothing is published while nobody watches, or only others are watched", async () => {
  const [ingesting, watching] = [await openNode(), await openNode()];
  const watcher = watching.watch(1);
  await until("it is known", async () => {
    await ingesting.ingest(1);
    return watcher.seen.length > 0;
  });
  const before = await published();
  for (let n = 0; n < 50; n += 1) await ingesting.ingest(2);
  const announced = (await published()) - before;
  watcher.end();
  const nobody = await openNode();
  const silent = nobody.watch(3);
  silent.end();
  await until("everyone knows that nobody watches", async () => {
    const from = await published();
    for (let n = 0; n < 10; n += 1) await ingesting.ingest(1);
    return (await published()) === from;
  });
  expect(announced).toBeLessThan(10);
});

test("a node that starts later learns who watches, and so does everyone after the server restarts", async () => {
  const watching = await openNode();
  const watcher = watching.watch(1);
  const later = await openNode();
  const sees = (name: string) => {
    const before = watcher.seen.length;
    return until(name, async () => {
      await later.ingest(1);
      return watcher.seen.length > before;
    });
  };
  await sees("clicks of the new node arrive");
  await server.kill();
  await until("it is away", () => open.every((node) => node.stats()?.isUp === false));
  await server.start();
  await sees("clicks arrive again");
});

test("messages of others on the same channels are ignored", async () => {
  const [ingesting, watching] = [await openNode(), await openNode()];
  const { seen } = watching.watch(1);
  const arrives = async (link: number) => until("it arrives", () => seen.some(({ link_no }) => link_no === link));
  await until("the other node knows", () => ingesting.ingest(1).then(() => seen.length > 0));
  // Clicks arrive in order, so none is on its way after this one.
  await arrives(await ingesting.ingest(1));
  const channels = (await server.cli("pubsub", "channels")).split("\n").filter((name) => name !== "");
  expect(channels.length).toBeGreaterThan(1);
  const before = seen.length;
  const texts = ["", "{", "null", "[]", "7", "[null,{}]", '{"node":1,"watches":[]}', '{"node":"x","watches":["a"]}'];
  for (const channel of channels) for (const text of texts) await server.cli("publish", channel, `stranger ${text}`);
  await arrives(await ingesting.ingest(1));
  expect(seen).toHaveLength(before + 1);
});
