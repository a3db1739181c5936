import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { ownKey } from "#test/support/own-key.ts";
import { until } from "#test/support/until.ts";
import type { BlockedAddress, ChangeNotice } from "./change-messages.ts";
import { type ChangePublisher, openChangePublisher } from "./change-publisher.ts";
import { type ChangeSubscription, openChangeSubscription } from "./change-subscription.ts";

let file: LinkFile;
let reader: RedirectReader;
let socketPath: string;
const open: { close(): void }[] = [];

beforeEach(() => {
  file = openLinkFile();
  reader = openSqliteRedirectReader(file.path);
  socketPath = dataPaths(file.dataDir).changesSocket;
});

afterEach(async () => {
  for (const each of open.splice(0).reverse()) each.close();
  await reader.close();
  file.close();
});

async function startPublisher(
  options: { ackTimeoutMs?: number; missLimitPerMinute?: number } = {},
): Promise<ChangePublisher> {
  const publisher = await openChangePublisher({ socketPath, records: reader, ...options });
  open.push(publisher);
  return publisher;
}

interface Subscriber extends ChangeSubscription {
  readonly notices: ChangeNotice[];
  readonly blocked: BlockedAddress[];
  readonly currentAt: number[];
  readonly counted: number[];
  readonly cores: number[];
  /** Counts welcomes and losses. */
  readonly life: { welcomes: number; losses: number };
}

function subscribe(onChanges: (notice: ChangeNotice) => void = () => {}): Subscriber {
  const notices: ChangeNotice[] = [];
  const blocked: BlockedAddress[] = [];
  const currentAt: number[] = [];
  const counted: number[] = [];
  const cores: number[] = [];
  const life = { welcomes: 0, losses: 0 };
  const subscription = openChangeSubscription({
    socketPath,
    onWelcome: () => {
      life.welcomes += 1;
    },
    onChanges: (notice) => {
      onChanges(notice);
      notices.push(notice);
    },
    onCurrent: (at) => currentAt.push(at),
    onCores: (last) => cores.push(last),
    onBlocked: (addresses) => blocked.push(...addresses),
    onCounted: (n) => counted.push(n),
    onLost: () => {
      life.losses += 1;
    },
  });
  open.push(subscription);
  return { ...subscription, notices, blocked, currentAt, counted, cores, life };
}

const untilSubscribed = (publisher: ChangePublisher, count: number): Promise<number> =>
  until(`${count} subscribe`, () => publisher.subscribers() === count);

const childScript = `
import { openChangeSubscription } from "#engines/coordination/change-subscription.ts";
openChangeSubscription({
  socketPath: process.argv[1], onWelcome: () => process.stdout.write("welcome"),
  // By the next turn, it has acknowledged them.
  onChanges: () => setImmediate(() => require("node:fs").writeFileSync(process.argv[2], "")), onBlocked: () => {}, onCounted: () => {}, onLost: () => {},
});`;

async function spawnSubscriber(): Promise<Bun.Subprocess> {
  const cwd = join(import.meta.dir, "..", "..", "..");
  const child = Bun.spawn([process.execPath, "-e", childScript, socketPath, `${socketPath}.heard`], {
    cwd,
    stdout: "pipe",
    stderr: "inherit",
  });
  open.push({ close: () => child.kill("SIGKILL") });
  await child.stdout.getReader().read();
  return child;
}

describe("publish", () => {
  test("announces what was committed, and resolves when every subscriber has dropped it from its cache", async () => {
    const publisher = await startPublisher();
    const gone: string[] = [];
    const first = subscribe(() => gone.push("first"));
    const second = subscribe(() => gone.push("second"));
    await untilSubscribed(publisher, 2);
    file.add({ slug: "abc" });
    file.set("abc", { state: "paused" });
    file.add({ slug: "xyz" });
    await publisher.publish();
    expect(gone.sort()).toEqual(["first", "second"]);
    const notice = { seq: 3, keys: ["abc", "xyz"], seqs: [2, 3] };
    for (const { notices } of [first, second]) expect(notices).toMatchObject([notice]);
  });

  test("resolves immediately without subscribers or changes", async () => {
    const publisher = await startPublisher();
    file.add({ slug: "abc" });
    await publisher.publish();
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    await publisher.publish();
    expect(subscriber.notices).toEqual([]);
  });

  test("clears the caches after an account-wide change and after a gap", async () => {
    const publisher = await startPublisher();
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    file.add({ slug: "abc" });
    file.setSuspended(true);
    await publisher.publish();
    for (let n = 0; n < 5; n += 1) file.set("abc", {});
    file.prune(1);
    await publisher.publish();
    expect(subscriber.notices).toMatchObject([
      { seq: 2, keys: null },
      { seq: 7, keys: null },
    ]);
  });

  test("an unreadable log clears the caches instead of failing the write", async () => {
    let isAway = false;
    const changesSince: RedirectReader["changesSince"] = async (seq) => {
      if (isAway) throw new Error("away");
      return reader.changesSince(seq);
    };
    const publisher = await openChangePublisher({ socketPath, records: { ...reader, changesSince } });
    open.push(publisher);
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    isAway = true;
    await publisher.publish();
    isAway = false;
    file.add({ slug: "abc" });
    await publisher.publish();
    expect(subscriber.notices).toMatchObject([
      { seq: 0, keys: null },
      { seq: 1, keys: ["abc"] },
    ]);
  });

  /** A log on a server, which answers unless it is away. */
  async function startShared(announceMsMax: number) {
    const log = { isAway: false, asked: 0 };
    const changesSince: RedirectReader["changesSince"] = async (seq) => {
      log.asked += 1;
      if (log.isAway) throw new Error("away");
      return reader.changesSince(seq);
    };
    const records = { ...reader, changesSince };
    const publisher = await openChangePublisher({ socketPath, records, isShared: true, announceMsMax });
    open.push(publisher);
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    return { log, publisher, subscriber };
  }

  test("an unreadable log on a server leaves the caches in doubt, and fails the write", async () => {
    const { log, publisher, subscriber } = await startShared(0);
    log.isAway = true;
    file.add({ slug: "abc" });
    expect(publisher.catchUp()).rejects.toThrow("away");
    await expect(publisher.publish()).rejects.toThrow("away");
    await until("it is told", () => subscriber.notices.length === 1);
    log.isAway = false;
    await publisher.catchUp();
    await until("it is told", () => subscriber.notices.length === 2);
    expect(subscriber.notices).toMatchObject([
      { seq: 0, keys: [], inDoubt: true },
      { seq: 1, keys: ["abc"] },
    ]);
  });

  test("a log that can be read again in time doesn't fail the write, which is announced then", async () => {
    const { log, publisher, subscriber } = await startShared(Number.POSITIVE_INFINITY);
    log.isAway = true;
    file.add({ slug: "abc" });
    const published = publisher.publish();
    await until("it has tried several times", () => log.asked >= 3);
    log.isAway = false;
    await published;
    expect(subscriber.notices).toMatchObject([
      { seq: 0, keys: [], inDoubt: true },
      { seq: 1, keys: ["abc"] },
    ]);
  });

  test("the processes are told when everything of other nodes was known, but not while the log can't be read", async () => {
    let isAway = false;
    let now = 1_000_000;
    const changesSince: RedirectReader["changesSince"] = async (seq) => {
      if (isAway) throw new Error("away");
      return reader.changesSince(seq);
    };
    const records = { ...reader, changesSince };
    const publisher = await openChangePublisher({ socketPath, records, isShared: true, clock: () => now });
    open.push(publisher);
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    await publisher.catchUp();
    now += 500;
    isAway = true;
    await expect(publisher.catchUp()).rejects.toThrow("away");
    now += 500;
    isAway = false;
    file.add({ slug: "abc" });
    await publisher.catchUp();
    // Often enough, however often other nodes change something.
    now += 1;
    await publisher.catchUp();
    now += 500;
    await publisher.catchUp();
    await until("it is told", () => subscriber.currentAt.length === 3);
    expect(subscriber.currentAt).toEqual([1_000_000, 1_001_000, 1_001_501]);
    expect(subscriber.notices).toMatchObject([{ seq: 1, keys: ["abc"] }]);
  });

  test("every concurrent call waits for the acknowledgement of its own change", async () => {
    const publisher = await startPublisher();
    const seen = new Set<string>();
    subscribe(({ keys }) => {
      for (const slug of keys ?? []) seen.add(slug);
    });
    await untilSubscribed(publisher, 1);
    const writes = Array.from({ length: 200 }, async (_, n) => {
      file.add({ slug: `slug${n}` });
      await publisher.publish();
      return seen.has(`slug${n}`);
    });
    file.add({ slug: "early" });
    const late = [publisher.publish(), publisher.publish()];
    expect((await Promise.all(writes)).every(Boolean)).toBe(true);
    await Promise.all(late);
    expect(seen.has("early")).toBe(true);
  });

  test("a commit during a slow read of the log is announced before its own call resolves", async () => {
    let reads = 0;
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changesSince: RedirectReader["changesSince"] = async (seq) => {
      const found = await reader.changesSince(seq);
      reads += 1;
      await answers[reads - 1]?.promise;
      return found;
    };
    const publisher = await openChangePublisher({ socketPath, records: { ...reader, changesSince } });
    open.push(publisher);
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    file.add({ slug: "first" });
    const first = publisher.publish();
    await until("the log is being read", () => reads === 1);
    file.add({ slug: "second" });
    const second = publisher.publish();
    answers[0]?.resolve();
    await first;
    expect(subscriber.notices).toMatchObject([{ keys: ["first"] }]);
    answers[1]?.resolve();
    await second;
    expect(subscriber.notices).toMatchObject([{ keys: ["first"] }, { keys: ["second"] }]);
  });

  test("a message larger than the socket buffer arrives complete", async () => {
    const publisher = await startPublisher();
    const subscriber = subscribe();
    await untilSubscribed(publisher, 1);
    const keys = Array.from({ length: 9000 }, (_, n) => ownKey(`${"s".repeat(58)}${n}`));
    for (const slug of keys) file.set(slug, {});
    await publisher.publish();
    expect(subscriber.notices[0]?.keys).toEqual(keys);
  });
});

describe("a subscriber that does not acknowledge", () => {
  test("is killed after the timeout, and the writer waits no longer than that", async () => {
    const publisher = await startPublisher();
    const healthy = subscribe();
    const child = await spawnSubscriber();
    await untilSubscribed(publisher, 2);
    child.kill("SIGSTOP");
    file.add({ slug: "abc" });
    const startedAt = performance.now();
    await publisher.publish();
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(900);
    // Some time on a busy machine, but not forever.
    expect(tookMs).toBeLessThan(60_000);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(publisher.subscribers()).toBe(1);
    expect(healthy.notices).toHaveLength(1);
  });

  test("delays nobody if it dies by itself", async () => {
    const publisher = await startPublisher({ ackTimeoutMs: 600_000 });
    const child = await spawnSubscriber();
    child.kill("SIGSTOP");
    file.add({ slug: "abc" });
    const published = publisher.publish();
    child.kill("SIGKILL");
    await published;
    expect(publisher.subscribers()).toBe(0);
  });

  test("is not killed because the publisher itself was slow", async () => {
    const ackTimeoutMs = 1000;
    const publisher = await startPublisher({ ackTimeoutMs });
    const child = await spawnSubscriber();
    file.add({ slug: "abc" });
    const published = publisher.publish();
    // It is sent without a turn of the event loop, so that the acknowledgement can't be read before the time is up.
    for (let turns = 0; turns < 100; turns += 1) await null;
    const isHeard = (): boolean => existsSync(`${socketPath}.heard`);
    for (let ms = 0; ms < 60_000 && !isHeard(); ms += 10) Bun.sleepSync(10);
    expect(isHeard()).toBe(true);
    Bun.sleepSync(ackTimeoutMs + 100);
    await published;
    expect(publisher.subscribers()).toBe(1);
    expect(child.signalCode).toBeNull();
  });
});

describe("the connection", () => {
  test("reconnects when control restarts, despite the socket file a killed one left behind", async () => {
    const subscriber = subscribe();
    const first = await startPublisher();
    await until("it is welcome", () => subscriber.life.welcomes === 1);
    first.close();
    await until("it has noticed", () => subscriber.life.losses === 1);
    writeFileSync(socketPath, "");
    const second = await startPublisher();
    await until("it is welcome again", () => subscriber.life.welcomes === 2);
    await untilSubscribed(second, 1);
    file.add({ slug: "abc" });
    await second.publish();
    expect(subscriber.notices).toHaveLength(1);
  });

  test("uses a directory that only its owner can enter", async () => {
    await startPublisher();
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
  });

  test("closes only for the peer that violates the protocol", async () => {
    const publisher = await startPublisher();
    subscribe();
    await untilSubscribed(publisher, 1);
    const ended = Promise.withResolvers<void>();
    const stranger = await Bun.connect({
      unix: socketPath,
      socket: { data: () => {}, close: () => ended.resolve(), end: () => ended.resolve() },
    });
    stranger.write("GET / HTTP/1.1\r\n\r\n");
    await ended.promise;
    expect(publisher.subscribers()).toBe(1);
  });
});

test("every redirect process is sent how many cores control uses, one that connects later, too", async () => {
  const publisher = await startPublisher();
  const first = subscribe();
  await untilSubscribed(publisher, 1);
  publisher.takeCores(2);
  publisher.takeCores(2);
  const second = subscribe();
  await until("the newcomer knows", () => second.cores.length === 1);
  publisher.takeCores(0);
  const third = subscribe();
  await until("all know", () => [first, second].every(({ cores }) => cores.at(-1) === 0));
  await until("the last one is welcome", () => third.life.welcomes === 1);
  expect([first, second, third].map(({ cores }) => cores)).toEqual([[2, 0], [2, 0], []]);
});

describe("misses", () => {
  test("of all processes are added up, and all are told which address is blocked", async () => {
    const publisher = await startPublisher({ missLimitPerMinute: 600 });
    const subscribers = [subscribe(), subscribe()];
    await untilSubscribed(publisher, 2);
    await until("both are welcome", () => subscribers.every(({ life }) => life.welcomes === 1));
    for (const { reportMisses } of subscribers) expect(reportMisses(1, [["203.0.113.9", 299]])).toBe(true);
    expect(subscribers[0]?.reportMisses(2, [["203.0.113.9", 2]])).toBe(true);
    await until("both know", () => subscribers.every(({ blocked }) => blocked.length === 1));
    expect(subscribers[1]?.blocked[0]?.[0]).toBe("203.0.113.9");
    expect(subscribers[1]?.blocked[0]?.[1]).toBeGreaterThan(59_000);
    await until("both reports count", () => subscribers[0]?.counted.at(-1) === 2);
    expect(subscribers.map(({ counted }) => counted)).toEqual([[1, 2], [1]]);
    const newcomer = subscribe();
    await until("the newcomer knows", () => newcomer.blocked.length === 1);
  });

  test("are not accepted while nobody listens", () => {
    expect(subscribe().reportMisses(1, [["203.0.113.9", 1]])).toBe(false);
  });
});
