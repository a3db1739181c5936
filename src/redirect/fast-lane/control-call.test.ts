import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Socket } from "bun";
import { RawConnection } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { Answers } from "../answers.ts";
import { ControlShares } from "../control-shares.ts";
import { type FastLane, startFastLane } from "./fast-lane.ts";
import { PeerAddresses } from "./peer-addresses.ts";

const HOST = "127.0.0.1";
const TICK_MS = 10;
const SLOW_TICK_MS = 100_000;
const OK = "HTTP/1.1 200 OK\r\nX-Request-Id: r\r\nContent-Length: 2\r\n\r\nok";
const EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const directory = mkdtempSync(join(tmpdir(), "kurz-test-"));
const socketPath = join(directory, "control.sock");

/** A stand-in for control that sends exact bytes. */
let received: string[] = [];
let connections: Socket[] = [];
let respond: (socket: Socket, text: string) => void;
const control = Bun.listen({
  unix: socketPath,
  socket: {
    open: (socket) => void connections.push(socket),
    data(socket, bytes) {
      received.push(bytes.toString("latin1"));
      respond(socket, bytes.toString("latin1"));
    },
    close(socket) {
      connections = connections.filter((each) => each !== socket);
    },
  },
});
const errors: unknown[] = [];
const lanes: FastLane[] = [];
const clients: RawConnection[] = [];

beforeEach(() => {
  received = [];
  errors.length = 0;
  respond = (socket) => void socket.write(OK);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const lane of lanes.splice(0)) {
    void lane.leave();
    lane.terminate();
  }
});
afterAll(() => {
  control.stop(true);
  rmSync(directory, { recursive: true });
});

function start(options: { shares?: ControlShares; tickMs?: number; socketPath?: string } = {}): FastLane {
  const lane = startFastLane({
    hostname: HOST,
    port: 0,
    shortLinks: {
      findActive: () => undefined,
      redirect: () => ({ location: "", status: 302, written: undefined }),
      isFresh: true,
      refresh: async () => {},
    },
    answers: new Answers({ isHttps: false, shortDomain: HOST, abuseContact: null, requestIdOf: () => "req_page" }),
    headers: ["x-forwarded-for"],
    requestIdOf: () => "req_test",
    clientAddressOf: ({ headers }, socketAddress) => headers.get("x-forwarded-for") ?? socketAddress(),
    control: {
      socketPath,
      shares: new ControlShares(),
      baseHost: "base",
      isBaseHostOnly: false,
      isOwnHost: () => true,
      proxyHops: 0,
      onHead() {},
      ...options,
    },
    server: { port: 1, peers: new PeerAddresses() },
    onError: (error) => errors.push(error),
    onShed() {},
    tickMs: options.tickMs ?? SLOW_TICK_MS,
  });
  lanes.push(lane);
  return lane;
}

async function open({ port }: FastLane): Promise<RawConnection> {
  const client = await RawConnection.open(port);
  clients.push(client);
  return client;
}

const get = (path = "/api/x", fields = ""): string => `GET ${path} HTTP/1.1\r\nHost: s\r\n${fields}\r\n`;
const post = (length: number, fields = "Authorization: Bearer t\r\n"): string =>
  `POST /api/x HTTP/1.1\r\nHost: s\r\n${fields}Content-Length: ${length}\r\n\r\n`;

test("requests reuse connections, one request at a time on each", async () => {
  const client = await open(start());
  const before = connections.length;
  for (let count = 0; count < 20; count += 1) {
    client.send(get());
    expect((await client.answer()).text).toBe("ok");
  }
  expect(connections.length - before).toBe(1);
  const others = await Promise.all(Array.from({ length: 5 }, () => open(lanes[0] as FastLane)));
  respond = () => {};
  for (const other of others) other.send(get());
  await until("all of them are asked", () => received.length === 25);
  expect(connections.length - before).toBe(5);
});

test("a request is sent only once it is complete, and only once", async () => {
  const client = await open(start());
  const body = "0123456789".repeat(100);
  client.send(post(body.length) + body.slice(0, 1));
  const other = await open(lanes[0] as FastLane);
  other.send(get());
  expect((await other.answer()).text).toBe("ok");
  expect(received.length).toBe(1);
  for (const part of [body.slice(1, 500), body.slice(500), get("/api/next")]) client.send(part);
  await client.answer();
  await client.answer();
  expect(received.length).toBe(3);
  expect(received[1]).toBe(
    `POST /api/x HTTP/1.1\r\nhost: base\r\nx-kurz-client: ${HOST}\r\nx-kurz-request-id: req_test\r\n` +
      `Authorization: Bearer t\r\ncontent-length: 1000\r\n\r\n${body}`,
  );
  expect(received[2]).toStartWith("GET /api/next HTTP/1.1\r\n");
});

describe("the client gets 503 in the envelope", () => {
  const expectUnavailable = async (client: RawConnection, retry = true): Promise<void> => {
    const { status, headers, text } = await client.answer();
    expect([status, headers.get("retry-after"), headers.get("x-request-id")]).toEqual([503, "1", "req_test"]);
    expect(JSON.parse(text).error).toMatchObject({ code: "unavailable", request_id: "req_test" });
    if (!retry) return;
    respond = (socket) => void socket.write(OK);
    client.send(get());
    expect((await client.answer()).text).toBe("ok");
  };

  test.each([
    ["closes", (socket: Socket) => void socket.end()],
    ["resets", (socket: Socket) => void socket.terminate()],
    ["breaks off in the head", (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\n")],
    ["speaks something else", (socket: Socket) => void socket.write("SSH-2.0\r\n\r\n")],
    ["sends no length", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n")],
    ["sends more than its answer", (socket: Socket) => void socket.write(`${OK}HTTP/1.1 200 OK\r\n\r\n`)],
  ])("where control %s, and the next request is answered", async (_what, misbehave) => {
    const client = await open(start());
    respond = misbehave;
    client.send(get());
    await expectUnavailable(client);
  });

  test("if control isn't running, and people get a page", async () => {
    const client = await open(start({ socketPath: join(directory, "missing.sock") }));
    client.send(get());
    await expectUnavailable(client, false);
    client.send(get("/docs", "Accept-Language: de\r\n"));
    const page = await client.answer();
    expect([page.status, page.headers.get("content-language")]).toEqual([503, "de"]);
  });

  test("if control never answers", async () => {
    const client = await open(start({ tickMs: TICK_MS }));
    respond = () => {};
    client.send(get());
    await expectUnavailable(client, false);
  });

  test("beyond its share of the places, while another address still has one", async () => {
    const lane = start({ shares: new ControlShares(3) });
    respond = () => {};
    for (let count = 1; count <= 2; count += 1) {
      (await open(lane)).send(get());
      await until("control is asked", () => received.length === count);
    }
    const third = await open(lane);
    third.send(get());
    await expectUnavailable(third, false);
    respond = (socket) => void socket.write(OK);
    third.send(get("/api/x", "X-Forwarded-For: 192.0.2.1\r\n"));
    expect((await third.answer()).text).toBe("ok");
  });
});

test("a connection on which control sends without a request isn't reused", async () => {
  const client = await open(start());
  client.send(get());
  await client.answer();
  const [kept] = connections;
  kept?.write(OK);
  await until("it is dropped", () => !connections.includes(kept as Socket));
  client.send(get());
  expect((await client.answer()).text).toBe("ok");
});

test("an answer that breaks off closes the client connection", async () => {
  const client = await open(start());
  respond = (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok");
  client.send(get());
  await client.closed;
  expect(client.received).toEndWith("ok");
});

test("a client that resets its connection cancels its request to control", async () => {
  const lane = start();
  respond = () => {};
  const client = await Bun.connect({ hostname: HOST, port: lane.port, socket: { data() {} } });
  client.write(get());
  await until("control is asked", () => received.length === 1);
  client.terminate();
  await until("control notices", () => connections.length === 0);
});

test("a body that doesn't arrive is refused, and its connection closed", async () => {
  const client = await open(start({ tickMs: TICK_MS }));
  client.send(`${post(5)}abc`);
  const { status, headers, text } = await client.answer();
  expect([status, headers.get("connection"), JSON.parse(text).error.code]).toEqual([400, "close", "bad_request"]);
  await client.closed;
  expect(received).toEqual([]);
});

test("a request without a token doesn't wait for its body, and closes the connection unless the body is complete", async () => {
  const lane = start({ tickMs: TICK_MS });
  const whole = await open(lane);
  whole.send(`${post(5, "")}abcde${get()}`);
  expect([(await whole.answer()).text, (await whole.answer()).text]).toEqual(["ok", "ok"]);
  const partial = await open(lane);
  partial.send(`${post(5, "")}abc`);
  expect((await partial.answer()).headers.get("connection")).toBe("close");
  await partial.closed;
  expect(received[0]).toContain("\r\ncontent-length: 0\r\nx-kurz-unread-body: 5\r\n\r\n");
  expect(received.join("")).not.toContain("abc");
});

describe("an event stream", () => {
  const openStream = async (lane: FastLane, events = "3\r\nabc\r\n"): Promise<RawConnection> => {
    respond = (socket) => void socket.write(EVENTS + events);
    const client = await open(lane);
    client.send(get());
    await until("it flows", () => client.received.includes("abc"));
    return client;
  };

  test("doesn't count as an ordinary request, and has its own limit", async () => {
    const lane = start({ shares: new ControlShares(1, 2) });
    await openStream(lane);
    await openStream(lane);
    const third = await open(lane);
    third.send(get());
    expect((await third.answer()).status).toBe(503);
  });

  test("ends cleanly between two chunks when the process shuts down", async () => {
    const lane = start();
    const client = await openStream(lane);
    lane.endStreams();
    expect((await client.answer()).text).toBe("abc");
    await until("the connection to control is closed", () => connections.length === 0);
  });

  test("is cut off in the middle of a chunk", async () => {
    const lane = start();
    const client = await openStream(lane, "5\r\nabc");
    lane.endStreams();
    await until("nothing follows", () => client.isClosed);
    expect(client.received).toEndWith("abc");
  });
});
