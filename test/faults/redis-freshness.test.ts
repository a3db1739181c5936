import { afterAll, beforeAll, expect, test } from "bun:test";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { newTestDatabase } from "#test/support/test-postgres.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

let redis: RedisServer;
let nodes: KurzServer[];
let token: string;
let link: { readonly id: string };

beforeAll(async () => {
  redis = await startRedisServer();
  const { url } = await newTestDatabase();
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    KURZ_SECRET_KEY: "the key of all nodes of this deployment",
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_RATE_LIMIT_PER_MINUTE: "0",
  };
  nodes = [
    await startKurz({ env: { ...env, KURZ_NODE_ID: "node-a" } }),
    await startKurz({ env: { ...env, KURZ_NODE_ID: "node-b" } }),
  ];
  const [first] = nodes as [KurzServer];
  token = await first.newToken(await first.newAccount());
  link = await change(first, "", { slug: "shared", destination_url: "https://example.org/" });
});
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await redis.stop();
});

async function change(node: KurzServer, path: string, body: object = {}): Promise<{ id: string }> {
  const response = await fetch(`${node.url}/api/v1/links${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as { id: string };
}

const opens = async (node: KurzServer): Promise<boolean> => (await visit(node, "/shared")).status === 302;

/** Changes the link on one node after the other. */
async function toggle(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const [own, other] = n % 4 < 2 ? nodes : nodes.toReversed();
    if (!own || !other) throw new Error("two nodes are needed");
    const isPaused = n % 2 === 0;
    await change(own, `/${link.id}/${isPaused ? "pause" : "resume"}`);
    // On the node that answered, it holds at once.
    expect(await opens(own)).toBe(!isPaused);
    await until("the other node follows", async () => (await opens(other)) === !isPaused);
  }
}

test("a change on one node holds there at once, and on the other a moment later", async () => {
  for (const node of nodes) await until("the link opens", () => opens(node));
  await toggle(40);
});

test("the same while the server for signals is away, by looking, and after it is back", async () => {
  await redis.kill();
  await toggle(6);
  await redis.start();
  await toggle(6);
});
