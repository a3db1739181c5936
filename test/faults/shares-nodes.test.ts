import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kurz } from "#sdk/client.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";

const TIMEOUT_MS = 600_000;
const directory = mkdtempSync(join(tmpdir(), "kurz-shares-"));
const ports = { first: freePort(), second: freePort(), forwarding: freePort() };

let postgres: PostgresServer;
let database: string;
let redis: RedisServer;
let nodes: KurzServer[];
let kurz: Kurz;

// Two nodes that serve reports, and one that forwards what it is asked for to the first of them.
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
  database = await postgres.newDatabase();
  const controlUrl = `http://127.0.0.1:${ports.first}`;
  const shared = {
    DATABASE_URL: postgres.urlOf(database),
    REDIS_URL: redis.url,
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_BASE_URL: controlUrl,
    KURZ_REDIRECT_PROCESSES: "1",
  };
  const start = (name: keyof typeof ports, env: Readonly<Record<string, string>> = {}) =>
    startKurz({
      dataDir: join(directory, name),
      port: ports[name],
      env: { ...shared, KURZ_NODE_ID: name, ...env },
    });
  nodes = await Promise.all([
    start("first"),
    start("second"),
    start("forwarding", { KURZ_ROLES: "redirect", KURZ_CONTROL_URL: controlUrl }),
  ]);
  const [first] = nodes;
  if (!first) throw new Error("no node has started");
  const account = await first.newAccount({ email: "ada@example.com" });
  kurz = new Kurz({ baseUrl: first.url, token: await first.newToken(account) });
}, TIMEOUT_MS);

afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await Promise.all([postgres.close(), redis.stop()]);
  rmSync(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

const PATHS = ["", "/link", "/badge.svg"];

/** Of every part, at every node. */
async function statusesOf(url: string): Promise<ReadonlySet<number>> {
  const path = new URL(url).pathname;
  const answers = nodes.flatMap((node) => PATHS.map((part) => fetch(`${node.url}${path}${part}`)));
  return new Set((await Promise.all(answers)).map(({ status }) => status));
}

test(
  "a revoked report is gone at every node at once, and so is that of a deleted link",
  async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await kurz.links.create({ destination_url: "https://example.com/" });
      const [revoked, other] = [await kurz.links.share(id), await kurz.links.share(id)];
      expect(await statusesOf(revoked.url)).toEqual(new Set([200]));
      await kurz.shares.revoke(revoked.id);
      expect(await statusesOf(revoked.url)).toEqual(new Set([404]));
      expect(await statusesOf(other.url)).toEqual(new Set([200]));
      await kurz.links.delete(id);
      expect(await statusesOf(other.url)).toEqual(new Set([404]));
      await kurz.links.delete(id, { permanent: true });
      expect(await statusesOf(other.url)).toEqual(new Set([404]));
    }
  },
  TIMEOUT_MS,
);

test(
  "shares are erased with their link, and not before",
  async () => {
    const isStored = async (...ids: string[]): Promise<boolean[]> => {
      const { rows } = await postgres.administer("select id from shares", database);
      return ids.map((id) => rows.some((row) => row.id === id));
    };
    const [trashed, live] = [
      await kurz.links.create({ destination_url: "https://example.com/" }),
      await kurz.links.create({ destination_url: "https://example.com/" }),
    ];
    const [one, two] = [await kurz.links.share(trashed.id), await kurz.links.share(live.id)];
    await kurz.links.delete(trashed.id);
    expect(await isStored(one.id, two.id)).toEqual([true, true]);
    await kurz.links.delete(trashed.id, { permanent: true });
    await kurz.links.delete(live.id, { permanent: true });
    expect(await isStored(one.id, two.id)).toEqual([false, false]);
  },
  TIMEOUT_MS,
);

test(
  "a password that was entered at one node opens the report at the others, and wrong ones count together",
  async () => {
    const { id } = await kurz.links.create({ destination_url: "https://example.com/" });
    const { url } = await kurz.links.share(id, { password: "tulip" });
    const path = new URL(url).pathname;
    const enter = (node: KurzServer, password: string) =>
      fetch(`${node.url}${path}/open`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify({ password }),
      });
    for (const node of nodes) {
      const { access } = (await (await enter(node, "tulip")).json()) as { readonly access: string };
      const opened = nodes.map((one) => fetch(`${one.url}${path}/link`, { headers: { "kurz-share-access": access } }));
      expect((await Promise.all(opened)).map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    let wrong = 0;
    for (let guess = 0; ; guess += 1) {
      const { status } = await enter(nodes[guess % nodes.length] as KurzServer, "rose");
      if (status === 429) break;
      // A busy machine may have no time for a password, which then counts as none.
      if (status !== 503) expect([status, ++wrong]).toEqual([403, Math.min(wrong, 10)]);
    }
    expect(wrong).toBe(10);
    for (const node of nodes) expect((await enter(node, "tulip")).status).toBe(429);
  },
  TIMEOUT_MS,
);
