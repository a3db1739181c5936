import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { outcomeOf, tryPost } from "#test/support/outbound.ts";
import { type RawReceiver, type RawReceiverOptions, startRawReceiver } from "#test/support/raw-receiver.ts";
import { makeTestCa } from "#test/support/test-ca.ts";
import { until } from "#test/support/until.ts";

const ROOT = join(import.meta.dir, "..", "..");
const SHORT_MS = 300;

const own = makeTestCa();
const strangers = makeTestCa();
const resolve = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.1"]);
const client = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: false, resolve, ca: own.ca });

const names = "DNS:hooks.example,IP:127.0.0.1";
const good = own.issue(names);
const receivers: RawReceiver[] = [];
async function start(options: RawReceiverOptions): Promise<RawReceiver> {
  const receiver = await startRawReceiver(options);
  receivers.push(receiver);
  return receiver;
}
let receiver: RawReceiver;
beforeAll(async () => {
  receiver = await start({ tls: good });
});
afterAll(() => Promise.all(receivers.map((one) => one.stop())));

describe("over TLS", () => {
  test.each(["hooks.example", "HOOKS.example", "hooks.example.", "127.0.0.1"])(
    "%s is reached and verified",
    async (host) => {
      const before = receiver.connections();
      expect(outcomeOf(await tryPost(client, `https://${host}:${receiver.port}/`))).toBe(200);
      expect(receiver.connections()).toBe(before + 1);
      expect(receiver.received.at(-1)).toContain('{"emoji":"🔗"}');
    },
  );

  test("the server name is sent", async () => {
    const seen: unknown[] = [];
    const named = await start({
      tls: good,
      onConnection: (socket) => seen.push((socket as { servername?: unknown }).servername),
    });
    await tryPost(client, `https://hooks.example.:${named.port}/`);
    expect(seen).toEqual(["hooks.example"]);
  });

  test.each([
    ["another name", own.issue("DNS:other.example"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["no name but the common one", own.issue("DNS:receiver"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["an expiry date in the past", own.issue(names, -1), "CERT_HAS_EXPIRED"],
    ["an unknown authority", strangers.issue(names), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ])("a certificate with %s is refused before anything is sent", async (_, tls, code) => {
    const bad = await start({ tls });
    const result = await tryPost(client, `https://hooks.example:${bad.port}/`);
    expect(result).toMatchObject({ problem: "tls", message: `The secure connection failed (${code}).` });
    expect(bad.received.join("")).toBe("");
  });

  test("a self-signed certificate is refused", async () => {
    const bad = await start({ tls: strangers.selfSigned(names) });
    expect(outcomeOf(await tryPost(client, `https://hooks.example:${bad.port}/`))).toBe("tls");
    expect(bad.received.join("")).toBe("");
  });

  test("an address that the certificate doesn't name is refused", async () => {
    const bad = await start({ tls: own.issue("DNS:hooks.example") });
    expect(outcomeOf(await tryPost(client, `https://127.0.0.1:${bad.port}/`))).toBe("tls");
    expect(bad.received.join("")).toBe("");
  });

  test("the default authorities don't trust a test certificate", async () => {
    const usual = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: false, resolve });
    expect(outcomeOf(await tryPost(usual, `https://hooks.example:${receiver.port}/`))).toBe("tls");
  });

  test("certificates are checked even if the environment disables it", async () => {
    const script = `
      import { guardedClient } from "#engines/outbound/guarded-client.ts";
      import { outcomeOf, tryPost } from "#test/support/outbound.ts";
      const client = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: false, resolve: async () => ["127.0.0.1"] });
      console.log(outcomeOf(await tryPost(client, "https://hooks.example:${receiver.port}/")));`;
    const child = Bun.spawn([process.execPath, "-e", script], {
      cwd: ROOT,
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      stdout: "pipe",
      stderr: "ignore",
    });
    expect(await child.stdout.text()).toBe("tls\n");
  });

  test("receivers that speak plain HTTP, stay silent or hang up are told apart", async () => {
    const plain = await start({});
    const silent = await start({ onRequest: () => {} });
    const closing = await start({ onRequest: (socket) => socket.end() });
    const outcome = async ({ port }: RawReceiver, timeoutMs: number) =>
      outcomeOf(await tryPost(client, `https://hooks.example:${port}/`, { timeoutMs }));
    expect(await outcome(plain, 10_000)).toBe("tls");
    expect(await outcome(closing, 10_000)).toBe("tls");
    expect(await outcome(silent, SHORT_MS)).toBe("timeout");
    await until("the connection is gone", () => silent.openConnections() === 0);
  });

  test("a receiver that hangs, drips or floods after the handshake is disconnected in time", async () => {
    const hanging = await start({ tls: good, onRequest: () => {} });
    const dripping = await start({
      tls: good,
      onRequest: (socket) => {
        const timer = setInterval(() => socket.write("x"), 20);
        socket.on("close", () => clearInterval(timer));
        socket.write("HTTP/1.1 500 Oops\r\n\r\n");
      },
    });
    const flooding = await start({
      tls: good,
      onRequest: (socket) => {
        const piece = Buffer.alloc(64 * 1024, "x");
        socket.on("drain", () => socket.write(piece));
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        for (let i = 0; i < 16; i += 1) socket.write(piece);
      },
    });
    const post = ({ port }: RawReceiver, timeoutMs: number) =>
      tryPost(client, `https://hooks.example:${port}/`, { timeoutMs });
    expect(outcomeOf(await post(hanging, SHORT_MS))).toBe("timeout");
    expect(outcomeOf(await post(dripping, 10_000))).toBe(500);
    expect(await post(flooding, 10_000)).toMatchObject({ status: 200, body: Buffer.alloc(16 * 1024, "x") });
    await until("all connections are gone", () =>
      [hanging, dripping, flooding].every((one) => one.openConnections() === 0),
    );
  });

  test("fifty calls at once all arrive", async () => {
    const before = receiver.connections();
    const url = `https://hooks.example:${receiver.port}/`;
    const outcomes = await Promise.all(Array.from({ length: 50 }, async () => outcomeOf(await tryPost(client, url))));
    expect(outcomes).toEqual(Array(50).fill(200));
    expect(receiver.connections()).toBe(before + 50);
  });
});
