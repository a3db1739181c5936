import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeFacts } from "#runtime/roll-call.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";

let postgres: PostgresServer;
let redis: RedisServer;
let env: Record<string, string>;
const directory = mkdtempSync(join(tmpdir(), "kurz-copied-"));
const start = (name: string) => startKurz({ dataDir: join(directory, name), env });

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
  env = {
    DATABASE_URL: postgres.urlOf(await postgres.newDatabase()),
    REDIS_URL: redis.url,
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_REDIRECT_PROCESSES: "1",
  };
}, 600_000);
afterAll(async () => {
  await Promise.all([postgres.close(), redis.stop()]);
  rmSync(directory, { recursive: true, force: true });
}, 600_000);

test("a copy of a running node's data directory isn't started; the node itself always is", async () => {
  const first = await start("node");
  await first.stop();
  cpSync(join(directory, "node"), join(directory, "copy"), { recursive: true });
  const node = await start("node");
  try {
    await expect(start("copy")).rejects.toThrow("start the copy with an empty data directory");
    const { stdout } = await node.kurz(["nodes", "list", "--json"]);
    expect((JSON.parse(stdout) as { nodes: NodeFacts[] }).nodes).toHaveLength(1);
  } finally {
    await node.kill();
  }
  const again = await start("node");
  expect(await again.stop()).toBe(0);
  // With the original gone for good, the copy takes its place.
  const moved = await start("copy");
  expect(await moved.stop()).toBe(0);
}, 600_000);
