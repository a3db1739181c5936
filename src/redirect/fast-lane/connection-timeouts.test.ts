import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { dripUntilClosed, get, LOOPBACK, openLaneStage, TICK_MS } from "./fixtures/lane-stage.ts";
import { PeerAddresses } from "./peer-addresses.ts";

setDefaultTimeout(600_000);
const stage = openLaneStage();
const { start, open, http } = stage;
afterEach(() => stage.close());
afterAll(() => stage.stop());

describe("the lane closes the connection of a client that", () => {
  test.each(["/large", "/stream"])("reads nothing of the HTTP server's answer: %s", async (path) => {
    const client = await open(start(), { reads: false });
    client.write(get(path));
    await until("the answer is in progress", () => http.pendingRequests === 1);
    await until("the answer is dropped", () => http.pendingRequests === 0);
  });

  test("reads none of its redirects but keeps sending", async () => {
    const client = await open(start(), { reads: false });
    // So few that the rest of them fits into the buffers for unread requests.
    client.write("GET /abc HTTP/1.1\r\nHost: s\r\n\r\n".repeat(2000));
    await dripUntilClosed(client);
  });

  test("keeps sending after the last answer", async () => {
    const client = await open(start());
    client.write(get("/abc", "Connection: close\r\n"));
    await until("it is answered", () => client.data.received.includes("302 Found"));
    await dripUntilClosed(client);
  });

  test("is idle, but later than proxies close idle connections themselves", async () => {
    const client = await open(start());
    const startedAt = performance.now();
    client.write(get("/abc"));
    await until("the lane closes the connection", () => client.data.hasServerEnded);
    // Ticks come late on a busy machine, never early.
    expect(performance.now() - startedAt).toBeGreaterThan(74 * TICK_MS);
  });

  test("was never used, but later than proxies close spare connections themselves", async () => {
    const lane = start();
    // The lane may accept it before this process knows that it is open.
    const startedAt = performance.now();
    const client = await open(lane);
    await until("the lane closes the connection", () => client.data.hasServerEnded);
    expect(performance.now() - startedAt).toBeGreaterThan(74 * TICK_MS);
  });

  test.each([
    ["never finishes its first head", "GET /abc HTTP/1.1\r\nX-Slow: ", "a"],
    ["never finishes its second head", `${get("/abc")}GET /abc HTTP/1.1\r\nX-Slow: `, "a"],
  ])("%s, long before an idle one, without involving the HTTP server", async (_what, beginning, drip) => {
    let accepted = 0;
    const server = Bun.listen({ hostname: LOOPBACK, port: 0, socket: { open: () => void accepted++, data() {} } });
    const lane = start({ server: { port: server.port, peers: new PeerAddresses() } });
    const idle = await open(lane);
    idle.write(get("/abc"));
    await until("it is answered", () => idle.data.received.includes("302 Found"));
    const client = await open(lane);
    client.write(beginning);
    // Closing a connection with unread bytes resets it, which a client notices when it writes.
    await until("the lane closes the connection", () => client.data.hasServerEnded || client.write(drip) < 0);
    expect([idle.data.hasServerEnded, accepted]).toEqual([false, 0]);
    server.stop(true);
  });
});
