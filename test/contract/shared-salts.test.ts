import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readSaltFile } from "#clicks/visitor/salt-file.ts";
import { dataPaths } from "#config/data-paths.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

let redis: RedisServer;
const nodes: KurzServer[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  const env = { REDIS_URL: redis.url, KURZ_SECRET_KEY: "k".repeat(40) };
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
