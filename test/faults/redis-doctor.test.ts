import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestNode, PATIENT_MS } from "#test/support/coordination-nodes.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { makeTestCa } from "#test/support/test-ca.ts";

let redis: RedisServer;
let kurz: KurzServer;

beforeAll(async () => {
  redis = await startRedisServer();
  kurz = await startKurz({ env: { REDIS_URL: redis.url } });
});
afterAll(async () => {
  await kurz.stop();
  await redis.stop();
});

interface Diagnosis {
  readonly findings: readonly { readonly check: string; readonly level: string; readonly message: string }[];
}

/** Again, if the machine was so busy that the server seemed slow. */
async function diagnose(): Promise<string[]> {
  for (;;) {
    const { stdout } = await kurz.kurz(["doctor", "--json"]);
    const findings = (JSON.parse(stdout) as Diagnosis).findings.filter(({ check }) => check === "coordination");
    const texts = findings.map(({ level, message }) => `${level}: ${message}`);
    if (!texts.some((text) => /answers take|no answer within/.test(text))) return texts;
  }
}

test("doctor knows the server: whether it answers, its version, and whether it may drop limits", async () => {
  expect(await diagnose()).toEqual([expect.stringMatching(/^ok: (?:Redis|Valkey) \d+\.\d+\.\d+ answers within/)]);
  await redis.cli("config", "set", "maxmemory", "100mb");
  expect(await diagnose()).toHaveLength(1);
  await redis.cli("config", "set", "maxmemory-policy", "allkeys-lru");
  expect(await diagnose()).toEqual([expect.stringMatching(/^warning: its eviction policy, allkeys-lru/)]);
  await redis.cli("config", "set", "maxmemory-policy", "noeviction");
  await redis.cli("config", "set", "save", "60 1");
  expect(await diagnose()).toEqual([expect.stringContaining("it writes to disk")]);
  await redis.kill();
  expect(await diagnose()).toEqual([expect.stringMatching(/^warning: REDIS_URL can't be used: .*ECONNREFUSED/)]);
});

test("rediss:// verifies the server's certificate", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-redis-tls-"));
  const ca = makeTestCa();
  const { cert, key } = ca.issue("DNS:localhost,IP:127.0.0.1");
  const files = { "ca.pem": ca.ca, "cert.pem": cert, "key.pem": key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const tlsPort = freePort();
  const path = (name: string): string => join(directory, name);
  const certificates = ["--tls-cert-file", path("cert.pem"), "--tls-key-file", path("key.pem")];
  const server = await startRedisServer([
    "--tls-port",
    `${tlsPort}`,
    "--tls-auth-clients",
    "no",
    ...certificates,
    "--tls-ca-cert-file",
    path("ca.pem"),
  ]);
  const url = `rediss://localhost:${tlsPort}`;
  try {
    const problems: (string | null)[] = [];
    const stranger = await openTestNode(
      { url },
      { answerMsMax: PATIENT_MS, onChange: (_isUp, problem) => problems.push(problem) },
    );
    expect(stranger.stats()?.isUp).toBe(false);
    expect(problems).toEqual([expect.stringMatching(/certificate/i)]);
    await stranger.close();
    // Whoever trusts the authority connects: the setting is read when a process starts.
    const taker = Bun.spawn(
      ["bun", join(import.meta.dir, "..", "conformance", "fixtures", "window-taker.ts"), url, "token", "2", "5"],
      {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: path("ca.pem") },
        stdin: new Blob(["go\n"]),
        stdout: "pipe",
      },
    );
    expect((await taker.stdout.text()).trim().split("\n")).toEqual(["ready", "2 0"]);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
