import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSaltFile } from "#clicks/visitor/salt-file.ts";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { prepareSalts } from "#runtime/prepare-salts.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

const KURZ_SECRET_KEY = "k".repeat(40);

let redis: RedisServer;
const nodes: KurzServer[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  const env = { REDIS_URL: redis.url, KURZ_SECRET_KEY };
  nodes.push(
    ...(await Promise.all(["one", "two"].map((KURZ_NODE_ID) => startKurz({ env: { ...env, KURZ_NODE_ID } })))),
  );
}, 600_000);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await redis.stop();
});

test("nodes that share coordination hash visitors with the same salts", async () => {
  const files = nodes.map(({ dataDir }) => dataPaths(dataDir).salts);
  await until("both have salts", () => files.every((file) => existsSync(file)));
  const [first = new Map(), second] = files.map(readSaltFile);
  expect(first.size).toBeGreaterThan(0);
  expect(second).toEqual(first);
});

test("a node that joins has them before it redirects, or starts without if coordination is away", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kurz-salts-"));
  const { salts } = dataPaths(dataDir);
  const prepare = (REDIS_URL: string) =>
    prepareSalts(loadConfig({ KURZ_DATA_DIR: dataDir, REDIS_URL, KURZ_SECRET_KEY }));
  try {
    await prepare(`redis://127.0.0.1:${freePort()}`);
    expect(readSaltFile(salts).size).toBe(0);
    // On a busy machine, Redis may seem away.
    await until("it has them", async () => {
      await prepare(redis.url);
      return readSaltFile(salts).size > 0;
    });
    const [known] = nodes.map((node) => readSaltFile(dataPaths(node.dataDir).salts));
    for (const [day, salt] of readSaltFile(salts)) expect(salt).toBe(known?.get(day) as string);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
