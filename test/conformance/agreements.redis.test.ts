import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Coordination } from "#engines/coordination/coordination.ts";
import { openTestNode } from "#test/support/coordination-nodes.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

const PROPOSAL = "a".repeat(64);

let server: RedisServer;
let node: Coordination;
beforeAll(async () => {
  server = await startRedisServer();
  node = await openTestNode(server);
});
afterAll(async () => {
  await node.close();
  await server.stop();
});

const keys = async (): Promise<string[]> =>
  (await server.cli("keys", "*agreement*")).split("\n").filter((key) => key !== "");

test("the server never sees what is agreed, and forgets it on time", async () => {
  await node.agree("lasting", PROPOSAL, 3_600_000);
  const [key = ""] = await keys();
  expect(await server.cli("get", key)).not.toContain(PROPOSAL.slice(0, 8));
  const leftMs = Number(await server.cli("pttl", key));
  expect(leftMs).toBeGreaterThan(3_000_000);
  expect(leftMs).toBeLessThanOrEqual(3_600_000);
  await node.agree("short", PROPOSAL, 50);
  await until("it is forgotten", async () => (await keys()).length === 1);
  expect(await node.agree("short", "another", 60_000)).toBe("another");
});

test("a node with another secret key can't read it, and gets nothing rather than something wrong", async () => {
  await node.agree("ours", PROPOSAL, 60_000);
  const stranger = await openTestNode(server, { secret: "another secret key of another deployment" });
  try {
    expect(await stranger.agree("ours", "theirs", 60_000)).toBeNull();
  } finally {
    await stranger.close();
  }
});
