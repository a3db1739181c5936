import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import type { Socket } from "bun";
import { until } from "#test/support/until.ts";
import { fresh, get, type LaneClient, LOOPBACK, link, NEVER_MS, openLaneStage } from "./fixtures/lane-stage.ts";
import { PeerAddresses } from "./peer-addresses.ts";

setDefaultTimeout(600_000);
const BURST = 50;
const stage = openLaneStage();
const { start, open, http, errors } = stage;
afterEach(() => stage.close());
afterAll(() => stage.stop());

test("the HTTP server learns the client address even if the client resets before its request is read", async () => {
  const peers = new PeerAddresses();
  const accepted = Promise.withResolvers<Socket>();
  const read = Promise.withResolvers<string | undefined>();
  const server = Bun.listen({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      open(socket) {
        socket.pause();
        accepted.resolve(socket);
      },
      data: ({ remoteAddress, remotePort }) =>
        read.resolve(peers.of({ address: remoteAddress, port: remotePort })?.address),
    },
  });
  const lane = start({ server: { port: server.port, peers } });
  const client = connect({ host: LOOPBACK, port: lane.port, localAddress: "127.0.3.1" });
  client.write(get("/other"));
  const socket = await accepted.promise;
  await until(
    "the request is handed over",
    () => peers.of({ address: LOOPBACK, port: socket.remotePort }) !== undefined,
  );
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
  ["bytes that aren't HTTP", "\x16 /other"],
])("a burst of %s is handed over a few per event loop iteration", async (_, sent) => {
  let accepted = 0;
  const server = Bun.listen({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      open() {
        accepted += 1;
      },
      data() {},
    },
  });
  const lane = start({ server: { port: server.port, peers: new PeerAddresses() }, tickMs: NEVER_MS });
  const burst = await Promise.all(Array.from({ length: BURST }, () => open(lane)));
  for (const client of burst) client.write(sent);
  let most = 0;
  while (accepted < BURST) {
    const before = accepted;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, accepted - before);
  }
  server.stop(true);
  expect(most).toBeLessThanOrEqual(BURST / 10);
});

test("a request that the lane fails to answer is handed over, and affects no other", async () => {
  let written: Promise<void> | undefined;
  const lane = start({
    shortLinks: {
      ...fresh,
      findActive: () => link,
      redirect({ location }, { headers }) {
        if (headers.get("dnt") !== null) throw new Error("broken");
        // As in the journal, all visits of an iteration wait for one write.
        written ??= new Promise((resolve) => {
          setImmediate(() => {
            written = undefined;
            resolve();
          });
        });
        return { location, status: 302, written };
      },
    },
  });
  const [client, other] = [await open(lane), await open(lane)];
  client.write(get("/abc") + get("/abc", "DNT: 1\r\n") + get("/abc"));
  other.write(get("/abc").repeat(200));
  const answersTo = ({ data }: Socket<LaneClient>): number => data.received.split("HTTP/1.1 ").length - 1;
  await until("everything is answered", () => answersTo(client) === 3 && answersTo(other) === 200);
  expect(client.data.received).toMatch(/302 Found.*200 OK.*other.*302 Found/s);
  expect(errors).toContainEqual(new Error("broken"));
});

test("a request that the HTTP server doesn't answer ends its connection", async () => {
  const silent = Bun.listen({ hostname: LOOPBACK, port: 0, socket: { data() {} } });
  const client = await open(start({ server: { port: silent.port, peers: new PeerAddresses() } }));
  client.write(get("/other"));
  await until("the connection ends", () => client.data.hasServerEnded);
  silent.stop(true);
});

test("a request that can't be handed over is reported, and its connection closed", async () => {
  const gone = Bun.listen({ hostname: LOOPBACK, port: 0, socket: { data() {} } });
  gone.stop();
  const client = await open(start({ server: { port: gone.port, peers: new PeerAddresses() } }));
  client.write(get("/other"));
  await until("the connection ends", () => client.data.hasServerEnded);
  expect(errors).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
});

test("an answer in progress when the lane shuts down is completed, then its connection is closed", async () => {
  const answerLate = stage.holdLateAnswers();
  const lane = start({ tickMs: NEVER_MS });
  const client = await open(lane);
  client.write(get("/late"));
  await until("the request is in progress", () => http.pendingRequests === 1);
  const left = lane.leave();
  answerLate();
  await until("the connection ends", () => client.data.hasServerEnded);
  expect(client.data.received).toEndWith("late");
  client.shutdown();
  await left;
  await lane.closed;
});
