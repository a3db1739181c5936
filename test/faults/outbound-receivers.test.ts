import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { OutboundError, type OutboundRequest } from "#engines/outbound/outbound-client.ts";
import { outboundRequest, outcomeOf, tryPost } from "#test/support/outbound.ts";
import { type RawReceiver, type RawReceiverOptions, startRawReceiver } from "#test/support/raw-receiver.ts";
import { until } from "#test/support/until.ts";

const client = guardedClient({
  allowCidrs: ["127.0.0.0/8", "::1/128"],
  allowInsecure: true,
  resolve: () => Promise.resolve(["127.0.0.1"]),
});

const SHORT_MS = 300;
// Enough for a head to arrive on a busy machine, and less than the time a body may take.
const HEAD_MS = 1000;
const HEAD_MS_MAX = 8000;
const HEAD = "HTTP/1.1 200 OK\r\n";

const started: RawReceiver[] = [];
const endings: (() => void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  for (const receiver of started.splice(0)) await receiver.stop();
});

async function start(options: RawReceiverOptions = {}): Promise<RawReceiver> {
  const receiver = await startRawReceiver(options);
  started.push(receiver);
  return receiver;
}

const saying = (bytes: string | Uint8Array) => start({ onRequest: (socket) => socket.end(bytes) });
const post = ({ port }: RawReceiver, over: Partial<OutboundRequest> = {}) =>
  tryPost(client, `http://hooks.example:${port}/in?a=1`, over);

/** Sends a piece repeatedly until the other side disconnects. */
function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  endings.push(() => clearInterval(timer));
  socket.on("close", () => clearInterval(timer));
}

async function expectTimeout(receiver: RawReceiver): Promise<void> {
  const result = await post(receiver, { timeoutMs: SHORT_MS });
  expect(outcomeOf(result)).toBe("timeout");
  expect(result.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 1);
  await until("the connection is gone", () => receiver.openConnections() === 0);
}

describe("a request", () => {
  test("arrives unchanged, on a connection of its own that is closed afterwards", async () => {
    const receiver = await start();
    const body = new TextEncoder().encode('{"title":"Grüße 🔗"}');
    await post(receiver, { body, headers: { "Content-Type": "application/json", "Service-Event": "link.created" } });
    await post(receiver, { body: new Uint8Array() });
    const [head = "", sent] = receiver.received[0]?.split("\r\n\r\n") ?? [];
    expect(head.split("\r\n")[0]).toBe("POST /in?a=1 HTTP/1.1");
    const lines = head.toLowerCase().split("\r\n").slice(1).sort();
    expect(lines).toEqual([
      "connection: close",
      `content-length: ${body.byteLength}`,
      "content-type: application/json",
      `host: hooks.example:${receiver.port}`,
      "service-event: link.created",
    ]);
    expect(sent).toBe('{"title":"Grüße 🔗"}');
    expect(receiver.received[1]?.toLowerCase()).toContain("content-length: 0\r\n");
    expect(receiver.connections()).toBe(2);
  });

  test("to an IPv6 address names it in brackets", async () => {
    const receiver = await start({ hostname: "::1" });
    expect(outcomeOf(await tryPost(client, `http://[::1]:${receiver.port}/`))).toBe(200);
    expect(receiver.received[0]?.toLowerCase()).toContain(`host: [::1]:${receiver.port}\r\n`);
  });

  test("goes to the next address if one doesn't answer", async () => {
    const receiver = await start();
    const several = guardedClient({
      allowCidrs: ["127.0.0.0/8", "::1/128"],
      allowInsecure: true,
      resolve: () => Promise.resolve(["::1", "127.0.0.9", "127.0.0.1"]),
    });
    expect(outcomeOf(await tryPost(several, `http://hooks.example:${receiver.port}/`))).toBe(200);
    expect(receiver.connections()).toBe(1);
  });

  test("can be aborted, before and while it runs", async () => {
    const receiver = await start({ onRequest: () => {} });
    const url = `http://hooks.example:${receiver.port}/`;
    const reason = new Error("shutting down");
    await expect(client.post(outboundRequest(url, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    const controller = new AbortController();
    const running = client.post(outboundRequest(url, { signal: controller.signal })).catch((error: unknown) => error);
    await until("the request has arrived", () => receiver.openConnections() === 1);
    controller.abort(reason);
    expect(await running).toBe(reason);
    await until("the connection is gone", () => receiver.openConnections() === 0);
  });
});

describe("an answer", () => {
  test.each([200, 201, 204, 299, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])(
    "of %d is reported",
    async (status) => {
      const receiver = await saying(
        `HTTP/1.1 ${status} X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(await post(receiver)).toMatchObject({ status, retryAfter: null, body: Buffer.alloc(0) });
      expect(receiver.connections()).toBe(1);
    },
  );

  test("includes its body and Retry-After", async () => {
    const receiver = await saying("HTTP/1.1 503 Later\r\nRetry-After: 120\r\nContent-Length: 5\r\n\r\nlater");
    expect(await post(receiver)).toMatchObject({ status: 503, retryAfter: "120", body: Buffer.from("later") });
  });

  test("without a length ends with its connection", async () => {
    expect(await post(await saying(`${HEAD}\r\nall of it`))).toMatchObject({ body: Buffer.from("all of it") });
  });

  test("in chunks is reassembled", async () => {
    const receiver = await saying(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`);
    expect(await post(receiver)).toMatchObject({ body: Buffer.from("abcde") });
  });

  test("isn't decompressed", async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000));
    const head = Buffer.from(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${packed.byteLength}\r\n\r\n`);
    const result = await post(await saying(Buffer.concat([head, packed])), { readBytesMax: 1000 });
    expect(result).toMatchObject({ status: 200, body: packed.subarray(0, 1000) });
  });

  test("without end is read up to the limit, and the rest isn't waited for", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    let sent = 0;
    const receiver = await start({
      onRequest: (socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(piece)) sent += piece.byteLength;
        };
        socket.on("drain", more);
        socket.write(`${HEAD}Content-Length: 1000000000000\r\n\r\n`);
        more();
      },
    });
    const result = await post(receiver, { readBytesMax: 16 * 1024 });
    expect(result).toMatchObject({ status: 200, body: Buffer.alloc(16 * 1024, "x") });
    await until("the connection is gone", () => receiver.openConnections() === 0);
    expect(sent).toBeLessThan(50_000_000);
  });

  test("after interim answers is the last one", async () => {
    const interim =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    expect(await post(await saying(`${interim}${HEAD}Content-Length: 2\r\n\r\nok`))).toMatchObject({ status: 200 });
  });

  test.each([
    ["is shorter than it said", `${HEAD}Content-Length: 100\r\n\r\npart`],
    ["breaks off in a chunk", `${HEAD}Transfer-Encoding: chunked\r\n\r\n64\r\npart`],
  ])("whose body %s counts anyway: the head decides", async (_, bytes) => {
    expect(await post(await saying(bytes))).toMatchObject({ status: 200, body: Buffer.from("part") });
  });

  test("whose body drips counts once the time is up, without waiting for the rest", async () => {
    const receiver = await start({
      onRequest: (socket) => {
        socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
        drip(socket, "x", 20);
      },
    });
    /** On a busy machine even the head may not come within a short time. */
    const postShortly = async (timeoutMs: number): ReturnType<typeof post> => {
      const result = await post(receiver, { timeoutMs });
      return outcomeOf(result) === "timeout" && timeoutMs < HEAD_MS_MAX ? postShortly(2 * timeoutMs) : result;
    };
    const [short, long] = await Promise.all([postShortly(HEAD_MS), post(receiver)]);
    expect([short, long]).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(long.durationMs).toBeLessThan(10_000);
    await until("the connections are gone", () => receiver.openConnections() === 0);
  });
});

describe("no answer in time is a timeout, if the receiver", () => {
  test("says nothing at all", async () => expectTimeout(await start({ onRequest: () => {} })));

  test("drips its head", async () =>
    expectTimeout(
      await start({
        onRequest: (socket) => {
          socket.write(`${HEAD}X-A: `);
          drip(socket, "a", 20);
        },
      }),
    ));

  test("has a name server that is silent", async () => {
    const silent = guardedClient({ allowCidrs: [], allowInsecure: true, resolve: () => new Promise(() => {}) });
    expect(outcomeOf(await tryPost(silent, "http://hooks.example/", { timeoutMs: SHORT_MS }))).toBe("timeout");
  });
});

describe("failures are told apart:", () => {
  test("connection refused", async () => {
    const receiver = await startRawReceiver();
    await receiver.stop();
    const result = await post(receiver);
    expect(result).toBeInstanceOf(OutboundError);
    expect(result).toMatchObject({ problem: "connect", message: "The connection failed (ECONNREFUSED)." });
  });

  test.each<[string, string, string | ((socket: Socket) => void)]>([
    ["closed at once", "reset", (socket) => socket.end()],
    ["closed in the head", "reset", (socket) => socket.end("HTTP/1.1 200 OK\r\nX-A: b")],
    ["reset", "reset", (socket) => socket.resetAndDestroy()],
    ["another protocol", "protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["noise", "protocol", "\u0000\u0001\u0002\r\n\r\n"],
    [
      "an unrequested upgrade",
      "protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ],
    ["two lengths", "protocol", `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ["one huge header", "protocol", `${HEAD}X-A: ${"a".repeat(200_000)}\r\n\r\n`],
    ["a hundred thousand headers", "protocol", `${HEAD}${"X-A: b\r\n".repeat(100_000)}\r\n`],
  ])("%s → %s", async (_, problem, answer) => {
    const receiver = await start({
      onRequest: typeof answer === "string" ? (socket) => socket.end(answer) : answer,
    });
    expect(outcomeOf(await post(receiver))).toBe(problem);
    await until("the connection is gone", () => receiver.openConnections() === 0);
  });
});

/** Sends a beginning, then a piece for as long as the other side reads; counts the bytes. */
async function flooding(beginning: string, piece: string): Promise<{ receiver: RawReceiver; sentBytes(): number }> {
  const bytes = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
  let sent = 0;
  const receiver = await start({
    onRequest: (socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(bytes)) sent += bytes.byteLength;
      };
      socket.on("drain", more);
      socket.write(beginning);
      more();
    },
  });
  return { receiver, sentBytes: () => sent };
}

// What the socket buffers of both sides can hold, and far less than two seconds of a flood.
const ON_THE_WAY_BYTES_MAX = 30_000_000;

describe("a flood is cut off after a few kilobytes, however it is framed:", () => {
  const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

  test.each([
    ["interim answers", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
    ["interim answers with headers", "", `HTTP/1.1 103 Early Hints\r\nLink: </${"a".repeat(900)}>\r\n\r\n`],
    ["empty lines before the head", "", "\r\n"],
    ["a reason without end", "HTTP/1.1 200 ", "a"],
    ["header lines without end", HEAD, "X-A: b\r\n"],
  ])("%s → protocol", async (_, beginning, piece) => {
    const { receiver, sentBytes } = await flooding(beginning, piece);
    expect(outcomeOf(await post(receiver))).toBe("protocol");
    await until("the connection is gone", () => receiver.openConnections() === 0);
    expect(sentBytes()).toBeLessThan(ON_THE_WAY_BYTES_MAX);
  });

  test.each([
    ["chunks of one byte", CHUNKED, "1\r\na\r\n"],
    ["chunks with long extensions", CHUNKED, `1;${"e".repeat(4000)}\r\na\r\n`],
    ["an extension without end", `${CHUNKED}1;`, "e"],
    ["a chunk length without end", CHUNKED, "0"],
    ["trailers without end", `${CHUNKED}0\r\n`, "X-A: b\r\n"],
    ["another answer after the first", `${HEAD}Content-Length: 0\r\n\r\n`, `${HEAD}Content-Length: 0\r\n\r\n`],
  ])("%s → the head counts", async (_, beginning, piece) => {
    const { receiver, sentBytes } = await flooding(beginning, piece);
    expect(outcomeOf(await post(receiver))).toBe(200);
    await until("the connection is gone", () => receiver.openConnections() === 0);
    expect(sentBytes()).toBeLessThan(ON_THE_WAY_BYTES_MAX);
  });

  test("interim answers that drip end the call too", async () => {
    const receiver = await start({ onRequest: (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 20) });
    expect(outcomeOf(await post(receiver))).toBe("protocol");
    await until("the connection is gone", () => receiver.openConnections() === 0);
  });
});

test("a name with thousands of addresses isn't called", async () => {
  const receiver = await start();
  const addresses = Array.from({ length: 4000 }, () => "127.0.0.1");
  const many = guardedClient({
    allowCidrs: ["127.0.0.0/8"],
    allowInsecure: true,
    resolve: () => Promise.resolve(addresses),
  });
  expect(outcomeOf(await tryPost(many, `http://hooks.example:${receiver.port}/`))).toBe("dns");
  expect(receiver.connections()).toBe(0);
});

test("fifty calls at once, most of them to receivers that hang or flood, don't block the event loop", async () => {
  const hanging = await start({ onRequest: () => {} });
  const flooding = await start({
    onRequest: (socket) => {
      const piece = Buffer.alloc(256 * 1024, "x");
      socket.on("drain", () => socket.write(piece));
      socket.write(`${HEAD}\r\n`);
      socket.write(piece);
    },
  });
  const good = await start();
  let iterations = 0;
  const ticking = setInterval(() => {
    iterations += 1;
  }, 1);
  const calls = Array.from({ length: 50 }, (_, i) =>
    i % 5 !== 0 && i % 2 === 0 ? post(hanging, { timeoutMs: 1000 }) : post(i % 5 === 0 ? good : flooding),
  );
  const outcomes = (await Promise.all(calls)).map(outcomeOf);
  clearInterval(ticking);
  expect(outcomes).toEqual(outcomes.map((_, i) => (i % 5 !== 0 && i % 2 === 0 ? "timeout" : 200)));
  // A blocked event loop would only have run a few iterations in that second.
  expect(iterations).toBeGreaterThan(10);
});
