import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Coordination } from "#engines/coordination/coordination.ts";
import type { FailureLimit } from "#engines/coordination/failure-limits.ts";
import { openTestNode, PATIENT_MS } from "#test/support/coordination-nodes.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { type StallingProxy, startStallingProxy } from "#test/support/stalling-proxy.ts";
import { until } from "#test/support/until.ts";

const WINDOW_MS = 600_000;
// Long enough that a server which is there answers in time on a busy machine.
const ANSWER_MS_MAX = 3000;
const CALLS = 2000;

interface Watched {
  readonly node: Coordination;
  /** What it reported, such as `up`, `away: …`. */
  readonly reports: string[];
}

let server: RedisServer;
let proxy: StallingProxy;
const open: Coordination[] = [];

beforeAll(async () => {
  server = await startRedisServer(["--enable-debug-command", "yes"]);
});
afterAll(() => server.stop());

afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
  proxy?.stop();
});

async function openWatched(answerMsMax = ANSWER_MS_MAX): Promise<Watched> {
  proxy?.stop();
  proxy = startStallingProxy(server.port);
  const reports: string[] = [];
  const node = await openTestNode(
    { url: `redis://127.0.0.1:${proxy.port}` },
    { answerMsMax, onChange: (isUp, problem) => reports.push(isUp ? "up" : `away: ${problem}`) },
  );
  open.push(node);
  return { node, reports };
}

const untilUp = ({ stats }: Coordination, isUp = true) =>
  until(`the server is ${isUp ? "back" : "away"}`, () => stats()?.isUp === isUp, PATIENT_MS);

const wait = (key: string): FailureLimit[] => [
  { kind: "doubling", group: "test", key, free: 5, waitMsMax: 900_000, forgottenAfterMs: 86_400_000 },
];

/** Every kind of question, many times; returns how many requests were accepted. */
async function askMuch({ node }: Watched, key: string): Promise<number> {
  const windows = node.rateWindows("api", WINDOW_MS);
  let accepted = 0;
  for (let call = 0; call < CALLS; call += 1) {
    if ((await windows.take(key, 120)).allowed) accepted += 1;
    await node.failures.begin(wait(key));
    await node.misses(600).add([[key, 1]]);
    node.signals.publish("topic", "text");
  }
  return accepted;
}

/** Waits once at most, then answers at once; all of it far below what waiting each time would take. */
async function expectPerNode(watched: Watched): Promise<void> {
  const { node } = watched;
  const startedAt = performance.now();
  expect(await askMuch(watched, `away ${startedAt}`)).toBe(120);
  expect(performance.now() - startedAt).toBeLessThan((CALLS / 20) * ANSWER_MS_MAX);
  expect(node.stats()).toMatchObject({ isUp: false });
  expect(node.stats()?.fallbacks).toBeGreaterThanOrEqual(2 * CALLS - 10);
}

describe("a server that is away", () => {
  test("frozen: calls in flight wait once, later ones not at all, and it comes back by itself", async () => {
    const watched = await openWatched();
    const { node, reports } = watched;
    const windows = node.rateWindows("api", WINDOW_MS);
    for (let n = 0; n < 70; n += 1) await windows.take("token", 120);
    server.freeze();
    // What this node accepted before still counts.
    const answers = await Promise.all(Array.from({ length: 100 }, () => windows.take("token", 120)));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(50);
    await expectPerNode(watched);
    server.thaw();
    await untilUp(node);
    expect(reports).toEqual([`away: no answer within ${ANSWER_MS_MAX} ms`, "up"]);
    const before = node.stats()?.fallbacks;
    expect((await windows.take("another token", 120)).remaining).toBe(119);
    expect(node.stats()?.fallbacks).toBe(before);
  });

  test("killed and started again empty: subscriptions and scripts are back, too", async () => {
    const watched = await openWatched();
    const other = await openTestNode(server, { answerMsMax: ANSWER_MS_MAX });
    open.push(other);
    const heard: string[] = [];
    watched.node.signals.subscribe("news", {
      onSignal: (text) => heard.push(text),
      onResumed: () => heard.push("resumed"),
    });
    await until("it is subscribed", () => heard.length === 1);
    await server.kill();
    await untilUp(watched.node, false);
    await expectPerNode(watched);
    await server.start();
    await Promise.all([untilUp(watched.node), untilUp(other)]);
    await until("it hears of it", () => heard.length === 2);
    other.signals.publish("news", "hello");
    await until("the signal arrives", () => heard.length === 3);
    expect(heard).toEqual(["resumed", "resumed", "hello"]);
    expect(await watched.node.rateWindows("api", WINDOW_MS).take("fresh", 2)).toMatchObject({ remaining: 1 });
    expect(await other.rateWindows("api", WINDOW_MS).take("fresh", 2)).toMatchObject({ remaining: 0 });
    expect(watched.reports.map((report) => report.split(":", 1)[0])).toEqual(["away", "up"]);
  });

  test("cut off by the network, with connections that stay open", async () => {
    const watched = await openWatched();
    proxy.stall();
    await expectPerNode(watched);
    // Attempts to connect go on, and none is left behind.
    await Bun.sleep(4 * ANSWER_MS_MAX);
    await until("none is left behind", () => proxy.connections <= 1);
    proxy.resume();
    await untilUp(watched.node);
    await until("only the working connection is left", () => proxy.connections === 1);
    await until("the server has no other", async () => {
      const clients = (await server.cli("client", "list")).split("\n").filter((line) => line.includes("name=kurz"));
      return clients.length === 1;
    });
  });

  test("too slow to be of use", async () => {
    const watched = await openWatched();
    proxy.delayAnswers(3 * ANSWER_MS_MAX);
    await expectPerNode(watched);
    proxy.delayAnswers(0);
    await untilUp(watched.node);
  });

  test("out of memory: each node decides, and the reason is reported once", async () => {
    const watched = await openWatched();
    await server.cli("config", "set", "maxmemory", "1");
    try {
      await expectPerNode(watched);
      await Bun.sleep(3000);
      expect(watched.reports).toEqual([expect.stringContaining("OOM")]);
    } finally {
      await server.cli("config", "set", "maxmemory", "0");
    }
    await untilUp(watched.node);
    expect(watched.reports.at(-1)).toBe("up");
  });

  test("missing from the start: opens at once and finds it later", async () => {
    await server.kill();
    const watched = await openWatched();
    await expectPerNode(watched);
    await server.start();
    await untilUp(watched.node);
    expect(watched.reports.map((report) => report.split(":", 1)[0])).toEqual(["away", "up"]);
  });

  test("a slow event loop in this process is not a slow server", async () => {
    const answerMsMax = 500;
    const { node, reports } = await openWatched(answerMsMax);
    const windows = node.rateWindows("api", WINDOW_MS);
    for (let round = 0; round < 3; round += 1) {
      const asked = windows.take("token", 120);
      Bun.sleepSync(6 * answerMsMax);
      expect((await asked).remaining).toBe(119 - round);
    }
    expect(reports).toEqual([]);
  });
});

describe("a connection", () => {
  test("needs the right password, and says so once if it is wrong", async () => {
    const guarded = await startRedisServer(["--requirepass", "right"]);
    try {
      const reports: (string | null)[] = [];
      const options = {
        answerMsMax: PATIENT_MS,
        onChange: (_isUp: boolean, problem: string | null) => reports.push(problem),
      };
      const wrong = await openTestNode({ url: `redis://:wrong@127.0.0.1:${guarded.port}` }, options);
      open.push(wrong);
      expect(wrong.stats()?.isUp).toBe(false);
      expect(reports).toEqual([expect.stringContaining("WRONGPASS")]);
      const right = await openTestNode(
        { url: `redis://default:right@127.0.0.1:${guarded.port}/3?prefix=mine` },
        options,
      );
      open.push(right);
      expect(right.stats()?.isUp).toBe(true);
      await right.rateWindows("api", WINDOW_MS).take("192.0.2.1", 5);
      const keys = await guarded.cli("-a", "right", "-n", "3", "--no-auth-warning", "keys", "*window*");
      expect(keys).toMatch(/^mine:3:window:api:[\w-]{22}$/);
    } finally {
      await guarded.stop();
    }
  });

  test("two deployments on one server don't meet", async () => {
    const a = await openTestNode(server);
    const b = await openTestNode({ url: `${server.url}/0?prefix=other` });
    const c = await openTestNode({ url: `${server.url}/1` });
    open.push(a, b, c);
    const heard: string[] = [];
    for (const node of [b, c]) node.signals.subscribe("news", { onSignal: (text) => heard.push(text) });
    for (const node of [a, b, c]) {
      expect((await node.rateWindows("api", WINDOW_MS).take("shared name", 1)).allowed).toBe(true);
      node.signals.publish("news", "for my own deployment");
    }
    // Whatever was published has arrived once a later call is answered.
    for (const node of [a, b, c]) await node.rateWindows("api", WINDOW_MS).take("later", 1);
    expect(heard).toEqual([]);
  });

  test("everything stored expires, except since when leases are known, and names are unreadable", async () => {
    await server.cli("flushall");
    const node = await openTestNode(server);
    open.push(node);
    await node.rateWindows("api", WINDOW_MS).take("192.0.2.77", 5);
    await node.failures.begin([
      ...wait("ada@example.com from 192.0.2.77"),
      { kind: "window", group: "network", key: "192.0.2.77", limit: 5, windowMs: 900_000 },
    ]);
    await node.misses(600).add([["192.0.2.77", 3]]);
    const lease = node.lease("job");
    await until("the lease is held", () => lease.isHeld());
    const keys = (await server.cli("keys", "*")).split("\n").toSorted();
    expect(keys.join("\n")).not.toMatch(/192|ada/);
    const lasting: string[] = [];
    for (const key of keys) if (Number(await server.cli("pttl", key)) < 0) lasting.push(key);
    expect(lasting).toEqual(["kurz:0:leases-since"]);
    expect(keys.length).toBeGreaterThanOrEqual(6);
  });
});
