import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeFacts } from "#runtime/roll-call.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

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

/** Why it doesn't start. It does if the running node takes too long to answer, as it may on a busy machine. */
async function refusalOf(name: string): Promise<string> {
  let refusal = "";
  const isRefused = async (): Promise<boolean> => {
    const started = await start(name).catch((error: unknown) => {
      refusal = String(error);
    });
    await started?.stop();
    return !started;
  };
  await until("it is refused", isRefused, 300_000);
  return refusal;
}

test("a copy of a running node's data directory isn't started; the node itself always is", async () => {
  const first = await start("node");
  await first.stop();
  cpSync(join(directory, "node"), join(directory, "copy"), { recursive: true });
  const node = await start("node");
  try {
    expect(await refusalOf("copy")).toContain("start the copy with an empty data directory");
    await until("the node is alone", async () => {
      const { stdout } = await node.kurz(["nodes", "list", "--json"]);
      return (JSON.parse(stdout) as { nodes: NodeFacts[] }).nodes.length === 1;
    });
  } finally {
    await node.kill();
  }
  // At once: nobody answers for a node that was killed.
  const again = await start("node");
  expect(await again.stop()).toBe(0);
  await redis.kill();
  const withoutRedis = await start("node");
  expect(await withoutRedis.stop()).toBe(0);
  await redis.start();
  // With the original gone for good, the copy takes its place.
  const moved = await start("copy");
  expect(await moved.stop()).toBe(0);
}, 600_000);
