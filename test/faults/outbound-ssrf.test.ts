import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { outcomeOf, tryPost } from "#test/support/outbound.ts";
import { type RawReceiver, startRawReceiver } from "#test/support/raw-receiver.ts";

const ROOT = join(import.meta.dir, "..", "..");

/** A stand-in for what must not be reached: it listens on every address of this machine. */
let canary: RawReceiver;
beforeAll(async () => {
  canary = await startRawReceiver({ hostname: "::" });
});
afterAll(() => canary.stop());

const urlOf = (host: string): string => `http://${host}:${canary.port}/`;
const never = (): Promise<readonly string[]> => Promise.reject(new Error("nothing may be resolved here"));
const strict = guardedClient({ allowCidrs: [], allowInsecure: true, resolve: never });

test("the canary works: if its address is allowed, it is reached", async () => {
  const open = guardedClient({ allowCidrs: ["127.0.0.0/8", "::1/128"], allowInsecure: true });
  const before = canary.connections();
  const hosts = ["127.0.0.1", "127.0.0.2", "2130706433", "[::ffff:127.0.0.1]", "[::1]", "localhost"];
  for (const host of hosts) expect([host, outcomeOf(await tryPost(open, urlOf(host)))]).toEqual([host, 200]);
  expect(canary.connections() - before).toBe(hosts.length);
});

const spellings = {
  "loopback in numbers": [
    ...["127.0.0.1", "127.0.0.2", "127.1", "127.0.1", "2130706433", "0x7f000001", "017700000001", "0x7F.1"],
    ...["0177.0.0.1", "0177.0.0.01", "0x7f.0.0.1", "0x7f.0x0.0x0.0x1", "127.0.0.1.", "00000177.1", "127.0.0x1"],
  ],
  "loopback in other digits": [
    ...[
      "１２７.０.０.１",
      "127。0。0。1",
      "①②⑦.⓪.⓪.①",
      "%31%32%37.0.0.1",
      "127%2e0%2e0%2e1",
      "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
      "１２７．１",
    ],
  ],
  "loopback by name": ["localhost", "LOCALHOST", "localhost.", "LocalHost.", "ⓛocalhost", "a.localhost", "%6cocalhost"],
  "loopback in IPv6": [
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0.0.0.1]"],
    ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:7F00:0001]", "[::127.0.0.1]", "[::7f00:1]"],
    ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[64:ff9b:1::7f00:1]"],
  ],
  "this host": ["0.0.0.0", "0", "0x0", "00", "0.1", "[::]", "[::0]", "[::ffff:0.0.0.0]", "[::ffff:0:0]"],
  metadata: [
    ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.254.169.254."],
    ...["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]"],
    ...["[fd00:ec2::254]", "[fd20:ce::254]", "168.63.129.16", "100.100.100.200", "192.0.0.192"],
    ...["metadata.google.internal", "metadata", "instance-data", "metadata.google.internal."],
  ],
  "private networks": [
    ...["10.0.0.1", "10.1", "167772161", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.257", "0xc0a80001"],
    ...["100.64.0.1", "100.127.255.254", "198.18.0.1", "[fc00::1]", "[fd00::1]", "[fe80::1]", "[fec0::1]"],
  ],
  "nowhere else": ["224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "[ff02::1]", "[100::1]", "[5f00::1]"],
  "confused parsers": [
    ...["8.8.8.8@127.0.0.1", "127.0.0.1#@8.8.8.8", "127.0.0.1\\@8.8.8.8", "127.0.0.1%00.example", "127.0.0.1%20"],
    ...["[::1%25lo]", "[::1%lo]", "[fe80::1%25eth0]", "127.0.0.1 .example", "127.0.0.256", "1.2.3.4.5", "127.0.0.1."],
  ],
} as const;

describe("no spelling of an address gets through:", () => {
  test.each(Object.entries(spellings))("%s", async (_, hosts) => {
    const before = canary.connections();
    for (const host of hosts) {
      expect([host, outcomeOf(await tryPost(strict, urlOf(host)))]).toEqual([
        host,
        expect.stringMatching(/^(?:blocked_address|invalid_url)$/),
      ]);
      expect([host, strict.findUrlProblem(urlOf(host))]).not.toEqual([host, null]);
    }
    expect(canary.connections()).toBe(before);
  });
});

const resolving = (...addresses: readonly string[]) =>
  guardedClient({ allowCidrs: [], allowInsecure: true, resolve: () => Promise.resolve(addresses) });

describe("no answer from a name server gets through:", () => {
  test.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["a compatible address", ["::127.0.0.1"]],
    ["a translated address", ["64:ff9b::7f00:1"]],
    ["6to4", ["2002:7f00:1::"]],
    ["metadata", ["169.254.169.254"]],
    ["a zone", ["fe80::1%lo"]],
    ["this host", ["0.0.0.0"]],
    ["public first", ["8.8.8.8", "127.0.0.1"]],
    ["public last", ["127.0.0.1", "8.8.8.8"]],
    ["one among many", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "10.0.0.1", "9.9.9.9"]],
    ["no address at all", ["localhost"]],
  ])("%s", async (_, addresses) => {
    const before = canary.connections();
    expect(outcomeOf(await tryPost(resolving(...addresses), urlOf("hooks.example")))).toBe("blocked_address");
    expect(canary.connections()).toBe(before);
  });

  test("an empty answer and a failing resolver are told apart from a blocked address", async () => {
    expect(outcomeOf(await tryPost(resolving(), urlOf("hooks.example")))).toBe("dns");
    expect(outcomeOf(await tryPost(strict, urlOf("hooks.example")))).toBe("dns");
  });
});

test("the checked address is the one connected to, even if the name server changes its answer", async () => {
  const good = await startRawReceiver({ hostname: "127.0.0.1" });
  try {
    let asked = 0;
    const answers = ["127.0.0.1", "127.0.0.2"];
    const resolve = (): Promise<readonly string[]> => {
      asked += 1;
      return Promise.resolve([answers[(asked - 1) % 2] ?? ""]);
    };
    const client = guardedClient({ allowCidrs: ["127.0.0.1/32"], allowInsecure: true, resolve });
    const trap = await startRawReceiver({ hostname: "127.0.0.2" });
    const outcomes = [];
    for (let i = 0; i < 10; i += 1)
      outcomes.push(outcomeOf(await tryPost(client, `http://rebind.example:${good.port}/`)));
    for (let i = 0; i < 10; i += 1)
      outcomes.push(outcomeOf(await tryPost(client, `http://rebind.example:${trap.port}/`)));
    await trap.stop();
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 1 ? "blocked_address" : i < 10 ? 200 : "connect")),
    );
    expect([asked, good.connections(), trap.connections()]).toEqual([20, 5, 0]);
  } finally {
    await good.stop();
  }
});

test("a redirect to a private address is reported, not followed", async () => {
  const location = `http://127.0.0.2:${canary.port}/`;
  const receiver = await startRawReceiver({
    onRequest: (socket) =>
      socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${location}\r\nRefresh: 0;url=${location}\r\nContent-Length: 0\r\n\r\n`,
      ),
  });
  try {
    const before = canary.connections();
    const client = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: true });
    expect(outcomeOf(await tryPost(client, `http://127.0.0.1:${receiver.port}/`))).toBe(307);
    expect([receiver.connections(), canary.connections()]).toEqual([1, before]);
  } finally {
    await receiver.stop();
  }
});

test("a proxy set in the environment isn't used", async () => {
  const receiver = await startRawReceiver();
  const proxy = `http://127.0.0.1:${canary.port}`;
  const before = canary.connections();
  const script = `
    import { guardedClient } from "#engines/outbound/guarded-client.ts";
    import { outboundRequest } from "#test/support/outbound.ts";
    const client = guardedClient({ allowCidrs: ["127.0.0.0/8"], allowInsecure: true, resolve: async () => ["127.0.0.1"] });
    for (const host of ["127.0.0.1", "hooks.example"])
      console.log((await client.post(outboundRequest("http://" + host + ":${receiver.port}/"))).status);`;
  const variables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...Object.fromEntries(variables.map((name) => [name, proxy])),
      NODE_USE_ENV_PROXY: "1",
      NO_PROXY: "",
    },
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toBe("200\n200\n");
  expect([receiver.connections(), canary.connections()]).toEqual([2, before]);
  await receiver.stop();
});
