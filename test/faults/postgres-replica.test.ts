import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type PostgresServer, startPostgres, startReplica } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

const NODES = 2;
// What the docs promise for other nodes, and a busy machine's delays.
const ELSEWHERE_MS_MAX = 60_000;

let primary: PostgresServer;
let replica: PostgresServer;
let nodes: KurzServer[];
let links: LinkApi;

const database = "test_1";
const onReplica = (sql: string) => replica.administer(sql, database);

beforeAll(async () => {
  primary = await startPostgres();
  expect(await primary.newDatabase()).toBe(database);
  replica = await startReplica(primary);
  const env = {
    DATABASE_URL: primary.urlOf(database),
    DATABASE_READ_URL: replica.urlOf(database),
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_RATE_LIMIT_PER_MINUTE: "0",
  };
  nodes = [];
  for (let node = 0; node < NODES; node += 1) nodes.push(await startKurz({ env }));
  const [first] = nodes as [KurzServer];
  links = new LinkApi(first.url, await first.newToken(await first.newAccount()));
}, 600_000);

afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await replica.close();
  await primary.close();
}, 600_000);

async function visit(node: number, { slug }: Link): Promise<string> {
  const response = await fetch(`${nodes[node]?.url}/${slug}`, { redirect: "manual", keepalive: false });
  return `${response.status} ${response.headers.get("location") ?? ""}`.trim();
}

const everywhere = (link: Link, answer: string) =>
  until(
    `each node answers ${answer}`,
    async () => (await Promise.all(nodes.map((_, node) => visit(node, link)))).every((seen) => seen === answer),
    ELSEWHERE_MS_MAX,
  );

/** The links as of now, on the replica, from where nothing gets on. */
async function holdReplica(): Promise<void> {
  const { rows } = await primary.administer("select pg_current_wal_lsn() as now");
  await until("the replica has caught up", async () => {
    const { rows: caughtUp } = await onReplica(`select pg_last_wal_replay_lsn() >= '${rows[0].now}' as yes`);
    return caughtUp[0].yes;
  });
  await onReplica("select pg_wal_replay_pause()");
  await until("it is held", async () => {
    const { rows: states } = await onReplica("select pg_get_wal_replay_pause_state() as state");
    return states[0].state === "paused";
  });
}

test("links that nobody has opened yet are read from the replica", async () => {
  const link = await links.create({ destination_url: "https://example.com/a" });
  await holdReplica();
  await everywhere(link, "302 https://example.com/a");
  const { rows } = await onReplica("select count(*)::integer as kurz from pg_stat_activity where usename = 'kurz'");
  expect(rows[0].kurz).toBeGreaterThan(0);
  await onReplica("select pg_wal_replay_resume()");
}, 600_000);

test("doctor knows both servers", async () => {
  const { stdout } = await (nodes[0] as KurzServer).kurz(["doctor"]);
  // As servers for tests are, for speed.
  expect(stdout).toMatch(/warning +records +fsync = off: changes that were acknowledged may be lost/);
  expect(stdout).toMatch(/ok +records +the replica is \d+ changes behind/);
}, 600_000);

test("however far the replica lags, changes show at once where they were made and soon after elsewhere", async () => {
  const seen = await links.create({ destination_url: "https://example.com/old" });
  const unseen = await links.create({ destination_url: "https://example.com/old" });
  await everywhere(seen, "302 https://example.com/old");
  await holdReplica();

  const added = await links.create({ destination_url: "https://example.com/added" });
  expect(await visit(0, added)).toBe("302 https://example.com/added");
  for (const link of [seen, unseen]) {
    await links.update(link.id, { destination_url: "https://example.com/new" });
    expect(await visit(0, link)).toBe("302 https://example.com/new");
    await links.act(link.id, "pause");
    expect(await visit(0, link)).toBe("404");
  }
  await everywhere(added, "302 https://example.com/added");
  for (const link of [seen, unseen]) await everywhere(link, "404");
  // The replica still has them as they were: that is what the nodes mustn't serve, nor keep.
  const { rows } = await onReplica(`select state from links where key = '${seen.slug}'`);
  expect(rows).toEqual([{ state: "active" }]);
  for (let visits = 0; visits < 20; visits += 1) {
    for (let node = 0; node < NODES; node += 1) {
      expect(await visit(node, seen)).toBe("404");
      expect(await visit(node, unseen)).toBe("404");
    }
  }

  await onReplica("select pg_wal_replay_resume()");
  await links.act(seen.id, "resume");
  await everywhere(seen, "302 https://example.com/new");
}, 600_000);
