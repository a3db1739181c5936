import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import type { Socket } from "bun";
import { redirectRow } from "#test/support/redirect-row.ts";
import { until } from "#test/support/until.ts";
import { Answers } from "../answers.ts";
import { ControlShares } from "../control-shares.ts";
import type { CachedLink } from "../link-cache.ts";
import { type FastLane, type FastLaneOptions, startFastLane } from "./fast-lane.ts";
import { PeerAddresses } from "./peer-addresses.ts";

const TICK_MS = 20;
const NEVER_MS = 1_000_000;
const BURST = 50;
const LARGE: Uint8Array<ArrayBuffer> = new Uint8Array(16 * 1024 * 1024);
const HOST = "127.0.0.1";
const link: CachedLink = {
  no: 1,
  accountNo: 1,
  location: `https://example.com/${"x".repeat(7900)}`,
  isPlain: true,
  activeUntil: Number.POSITIVE_INFINITY,
  row: redirectRow(),
};

const late = { answer: Promise.withResolvers<void>() };
const http = Bun.serve({
  hostname: HOST,
  port: 0,
  // Only the lane ends anything here.
  idleTimeout: 0,
  maxRequestBodySize: 1024,
  routes: {
    "/large": () => new Response(LARGE),
    "/stream": () => new Response(new Blob([LARGE]).stream()),
    "/late": () => late.answer.promise.then(() => new Response("late")),
  },
  fetch: () => new Response("other"),
});
setDefaultTimeout(30_000);
const lanes: FastLane[] = [];
const clients: Socket<Client>[] = [];
const errors: unknown[] = [];
let shed = 0;
const fresh = { isFresh: true, refresh: () => Promise.resolve() };

afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
  for (const lane of lanes.splice(0)) {
    void lane.leave();
    lane.terminate();
  }
  errors.length = 0;
  shed = 0;
});

function start(options: Partial<FastLaneOptions> = {}): FastLane {
  const lane = startFastLane({
    hostname: HOST,
    port: 0,
    visitor: {
      ...fresh,
      findActive: (slug) => (slug === "abc" ? link : undefined),
      redirect: ({ location }) => ({ location, written: undefined }),
    },
    answers: new Answers({ isHttps: false, shortDomain: HOST, abuseContact: null, requestIdOf: () => "req_test" }),
    headers: ["dnt", "x-forwarded-for"],
    requestIdOf: () => "req_test",
    clientAddressOf: ({ headers }, socketAddress) => headers.get("x-forwarded-for") ?? socketAddress().trim(),
    control: {
      socketPath: "/nowhere",
      shares: new ControlShares(),
      baseHost: HOST,
      isBaseHostOnly: false,
      proxyHops: 0,
      onHead() {},
    },
    server: { port: http.port ?? 0, peers: new PeerAddresses() },
    onError: (error) => errors.push(error),
    onShed(count) {
      shed += count;
    },
    tickMs: TICK_MS,
    ...options,
  });
  lanes.push(lane);
  return lane;
}

/** A lane that opens one link for every slug, and how often it has. */
function startCounting(written?: Promise<void>) {
  let visits = 0;
  const lane = start({
    visitor: {
      ...fresh,
      findActive: () => link,
      redirect({ location }) {
        visits += 1;
        return { location, written };
      },
    },
  });
  return { lane, visits: () => visits };
}

interface Client {
  received: string;
  hasServerEnded: boolean;
}

const open = async ({ port }: FastLane, { reads = true } = {}): Promise<Socket<Client>> => {
  const client = await Bun.connect<Client>({
    hostname: HOST,
    port,
    allowHalfOpen: true,
    data: { received: "", hasServerEnded: false },
    socket: {
      data({ data }, bytes) {
        data.received += bytes.toString("latin1");
      },
      end({ data }) {
        data.hasServerEnded = true;
      },
    },
  });
  if (!reads) client.pause();
  clients.push(client);
  return client;
};

const get = (path: string, fields = ""): string => `GET ${path} HTTP/1.1\r\nHost: s.example\r\n${fields}\r\n`;

/** Sends an octet again and again until the connection is closed, which is all that one sees who does not read. */
const dripUntilClosed = (client: Socket<Client>): Promise<number> =>
  until("the lane lets the client go", () => client.write("a") < 0);

describe("a client is let go", () => {
  test.each(["/large", "/stream"])("that reads nothing of an answer of the HTTP server: %s", async (path) => {
    const client = await open(start(), { reads: false });
    client.write(get(path));
    await until("the answer is under way", () => http.pendingRequests === 1);
    await until("nobody waits for it any more", () => http.pendingRequests === 0);
  });

  test("that reads none of its redirects, although it goes on sending", async () => {
    const client = await open(start(), { reads: false });
    // So few that the rest of them fits into the room for what is not read yet.
    client.write("GET /abc HTTP/1.1\r\nHost: s\r\n\r\n".repeat(2000));
    await dripUntilClosed(client);
  });

  test("that goes on sending after the last answer", async () => {
    const client = await open(start());
    client.write(get("/abc", "Connection: close\r\n"));
    await until("it is answered", () => client.data.received.includes("302 Found"));
    await dripUntilClosed(client);
  });

  test("that is idle, but later than proxies let go of idle connections themselves", async () => {
    const client = await open(start());
    const startedAt = performance.now();
    client.write(get("/abc"));
    await until("the lane lets the client go", () => client.data.hasServerEnded);
    // Ticks come late on a busy machine, never early.
    expect(performance.now() - startedAt).toBeGreaterThan(74 * TICK_MS);
  });

  test.each([
    ["sends no first head", "", ""],
    ["goes on sending its first head", "GET /abc HTTP/1.1\r\nX-Slow: ", "a"],
    ["goes on sending its second head", `${get("/abc")}GET /abc HTTP/1.1\r\nX-Slow: `, "a"],
  ])("that %s, long before an idle one, and the HTTP server never hears of it", async (_what, beginning, drip) => {
    let heard = 0;
    const server = Bun.listen({ hostname: HOST, port: 0, socket: { open: () => void heard++, data() {} } });
    const lane = start({ server: { port: server.port, peers: new PeerAddresses() } });
    const idle = await open(lane);
    idle.write(get("/abc"));
    await until("it is answered", () => idle.data.received.includes("302 Found"));
    const client = await open(lane);
    client.write(beginning);
    // A connection that is closed over octets on their way is reset, which one sees when writing.
    await until("the lane lets the client go", () => client.data.hasServerEnded || client.write(drip) < 0);
    expect([idle.data.hasServerEnded, heard]).toEqual([false, 0]);
    server.stop(true);
  });
});

describe("where descriptors run short", () => {
  const MAX = 64;
  const answersOf = ({ data }: Socket<Client>): number => data.received.split("302 Found").length - 1;
  const ask = async (client: Socket<Client>): Promise<void> => {
    const before = answersOf(client);
    client.write(get("/abc"));
    await until("it is answered", () => answersOf(client) > before);
  };

  test("unfinished heads go first, then those that are idle for longest, and newcomers are served", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: 100 });
    const clock = await open(lane);
    const idle: Socket<Client>[] = [];
    for (let n = 1; n < MAX / 2; n += 1) {
      const client = await open(lane);
      await ask(client);
      idle.push(client);
    }
    const unfinished = await Promise.all(Array.from({ length: MAX / 2 }, () => open(lane)));
    for (const client of unfinished) client.write("GET /abc HT");
    // It is let go after three ticks.
    clock.write(get("/abc", "Connection: close\r\n"));
    await dripUntilClosed(clock);
    for (const client of idle.slice(MAX / 4)) await ask(client);
    await Promise.all(Array.from({ length: MAX / 4 }, async () => ask(await open(lane))));
    expect(unfinished.some(({ data }) => data.hasServerEnded)).toBe(true);
    expect(idle.filter(({ data }) => data.hasServerEnded)).toEqual([]);
    await Promise.all(Array.from({ length: MAX / 4 + 1 }, async () => ask(await open(lane))));
    const endedOf = (clients: readonly Socket<Client>[]) => clients.filter(({ data }) => data.hasServerEnded).length;
    await until("the unfinished ones are gone", () => endedOf(unfinished) === MAX / 2);
    expect(endedOf(idle.slice(MAX / 4))).toBe(0);
    expect(shed).toBeGreaterThanOrEqual(MAX / 2);
  });

  test("a flood of connections that ask for nothing does not keep out those that do", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: NEVER_MS });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: MAX }, () => open(lane)));
      await ask(await open(lane));
    }
    expect(shed).toBeGreaterThan(MAX * 8);
  });

  test("requests for the HTTP server wait for each other, and all are answered", async () => {
    const lane = start({ descriptorsMax: MAX, tickMs: NEVER_MS });
    const burst = await Promise.all(Array.from({ length: MAX / 2 }, () => open(lane)));
    for (const client of burst) client.write(get("/other", "Connection: close\r\n"));
    await until("all are answered", () => burst.every(({ data }) => data.received.endsWith("other")));
    expect(errors).toEqual([]);
  });

  test("nobody who is being served has to go", async () => {
    late.answer = Promise.withResolvers<void>();
    const lane = start({ descriptorsMax: 16, tickMs: NEVER_MS });
    const served = await Promise.all(Array.from({ length: 4 }, () => open(lane)));
    for (const client of served) client.write(get("/late"));
    await until("they are", () => http.pendingRequests === 4);
    const refused = await open(lane);
    await until("there is no room for another one", () => refused.data.hasServerEnded || refused.readyState < 0);
    late.answer.resolve();
    await until("they are answered", () => served.every(({ data }) => data.received.endsWith("late")));
    await ask(await open(lane));
  });
});

test("a refusal reaches a client that first sends all of its upload", async () => {
  const client = await open(start({ tickMs: 1000 }), { reads: false });
  const octets = 8 * 1024 * 1024;
  const upload = Buffer.from(`POST /upload HTTP/1.1\r\nHost: s.example\r\nContent-Length: ${octets}\r\n\r\n`);
  const rest = Buffer.concat([upload, Buffer.alloc(octets)]);
  let sent = 0;
  await until("all is sent", () => {
    sent += Math.max(0, client.write(rest.subarray(sent)));
    return sent === rest.length || client.readyState < 0;
  });
  expect(sent).toBe(rest.length);
  client.resume();
  await until("the refusal is there", () => client.data.received.startsWith("HTTP/1.1 413"));
});

test("the answers that wait for the journal are few where they are long", async () => {
  const { lane, visits } = startCounting(new Promise(() => {}));
  const client = await open(lane);
  client.write(get("/abc").repeat(64));
  await until("all that may be is answered", () => visits() > 0);
  expect(visits() * link.location.length).toBeLessThan(80_000);
});

test("a client that resets its connection with the request is nobody's failure", async () => {
  const { lane, visits } = startCounting();
  const client = await open(lane);
  client.write(get("/abc", "X-Forwarded-For: 192.0.2.1\r\n"));
  await until("the connection is accepted", () => visits() === 1);
  client.write(get("/abc"));
  client.terminate();
  await until("the request is seen", () => visits() === 2 || errors.length > 0);
  expect(errors).toEqual([]);
});

test("a request is its client's although the client resets its connection before the HTTP server reads it", async () => {
  const peers = new PeerAddresses();
  const taken = Promise.withResolvers<Socket>();
  const read = Promise.withResolvers<string | undefined>();
  const server = Bun.listen({
    hostname: HOST,
    port: 0,
    socket: {
      open(socket) {
        socket.pause();
        taken.resolve(socket);
      },
      data: ({ remoteAddress, remotePort }) =>
        read.resolve(peers.of({ address: remoteAddress, port: remotePort })?.address),
    },
  });
  const lane = start({ server: { port: server.port, peers } });
  const client = connect({ host: HOST, port: lane.port, localAddress: "127.0.3.1" });
  client.write(get("/other"));
  const socket = await taken.promise;
  await until("it is handed over", () => peers.of({ address: HOST, port: socket.remotePort }) !== undefined);
  const left = lane.leave();
  client.resetAndDestroy();
  await left;
  await lane.closed;
  socket.resume();
  expect(await read.promise).toBe("127.0.3.1");
  server.stop(true);
});

test.each([
  ["requests", get("/other")],
  ["heads that are none", "\x16 /other"],
])("of a burst of %s few are handed over in a turn of the event loop", async (_, sent) => {
  let taken = 0;
  const server = Bun.listen({
    hostname: HOST,
    port: 0,
    socket: {
      open() {
        taken += 1;
      },
      data() {},
    },
  });
  const lane = start({ server: { port: server.port, peers: new PeerAddresses() }, tickMs: NEVER_MS });
  const burst = await Promise.all(Array.from({ length: BURST }, () => open(lane)));
  for (const client of burst) client.write(sent);
  let most = 0;
  while (taken < BURST) {
    const before = taken;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, taken - before);
  }
  server.stop(true);
  expect(most).toBeLessThanOrEqual(BURST / 10);
});

test("a request that cannot be answered here is handed over, and harms no other", async () => {
  let written: Promise<void> | undefined;
  const lane = start({
    visitor: {
      ...fresh,
      findActive: () => link,
      redirect({ location }, { headers }) {
        if (headers.get("dnt") !== null) throw new Error("broken");
        // As in the journal, all visits of a turn wait for one write.
        written ??= new Promise((resolve) => {
          setImmediate(() => {
            written = undefined;
            resolve();
          });
        });
        return { location, written };
      },
    },
  });
  const [client, other] = [await open(lane), await open(lane)];
  client.write(get("/abc") + get("/abc", "DNT: 1\r\n") + get("/abc"));
  other.write(get("/abc").repeat(200));
  const answersOf = ({ data }: Socket<Client>): number => data.received.split("HTTP/1.1 ").length - 1;
  await until("everything is answered", () => answersOf(client) === 3 && answersOf(other) === 200);
  expect(client.data.received).toMatch(/302 Found.*200 OK.*other.*302 Found/s);
  expect(errors).toContainEqual(new Error("broken"));
});

test("while nobody tells changes, an answer waits until they were read after its request came", async () => {
  const reads: PromiseWithResolvers<void>[] = [];
  const lane = start({
    visitor: {
      isFresh: false,
      refresh() {
        const read = Promise.withResolvers<void>();
        reads.push(read);
        return read.promise;
      },
      findActive: (slug) => (slug === "abc" ? link : undefined),
      redirect: ({ location }) => ({ location, written: undefined }),
    },
  });
  const [first, second] = [await open(lane), await open(lane)];
  const answersOf = ({ data }: Socket<Client>): number => data.received.split("302 Found").length - 1;
  first.write(get("/abc").repeat(3));
  await until("the first is read for", () => reads.length === 1);
  second.write(get("/abc"));
  await until("the second is read for", () => reads.length === 2);
  expect([answersOf(first), answersOf(second)]).toEqual([0, 0]);
  reads[0]?.resolve();
  await until("the first is answered", () => answersOf(first) === 3);
  expect(answersOf(second)).toBe(0);
  reads[1]?.resolve();
  await until("the second is answered", () => answersOf(second) === 1);
  first.write(get("/abc"));
  await until("the next request is read for", () => reads.length === 3);
});

test("a request that the HTTP server does not take up ends its connection", async () => {
  const deaf = Bun.listen({ hostname: HOST, port: 0, socket: { data() {} } });
  const client = await open(start({ server: { port: deaf.port, peers: new PeerAddresses() } }));
  client.write(get("/other"));
  await until("the connection ends", () => client.data.hasServerEnded);
  deaf.stop(true);
});

test("a request that cannot be handed over is told of, and its connection closed", async () => {
  const gone = Bun.listen({ hostname: HOST, port: 0, socket: { data() {} } });
  gone.stop();
  const client = await open(start({ server: { port: gone.port, peers: new PeerAddresses() } }));
  client.write(get("/other"));
  await until("the connection ends", () => client.data.hasServerEnded);
  expect(errors).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
});

test("an answer that was under way when the lane was left closes its connection", async () => {
  late.answer = Promise.withResolvers<void>();
  const lane = start({ tickMs: NEVER_MS });
  const client = await open(lane);
  client.write(get("/late"));
  await until("the request is under way", () => http.pendingRequests === 1);
  const left = lane.leave();
  late.answer.resolve();
  await until("the connection ends", () => client.data.hasServerEnded);
  expect(client.data.received).toEndWith("late");
  client.shutdown();
  await left;
  await lane.closed;
});
