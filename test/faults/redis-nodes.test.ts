import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decideTogether, metricsOnFreePort, untilCoordinationIs } from "#test/support/coordination-figures.ts";
import { forgeToken } from "#test/support/forged-token.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const LIMIT = 120;
const NODES = 2;
const TOKENS = 6;

let redis: RedisServer;
let directory: string;
let nodes: KurzServer[];
let account: string;
/** Tokens that every node knows. */
const tokens: string[] = [];
let visitors = 0;

// The nodes start from copies of one data directory: the same accounts and tokens, and one server for their limits.
beforeAll(async () => {
  redis = await startRedisServer();
  directory = mkdtempSync(join(tmpdir(), "kurz-nodes-"));
  const first = join(directory, "0");
  const alone = await startKurz({ dataDir: first });
  account = await alone.newAccount({ email: "ada@example.com" });
  for (let n = 0; n < TOKENS; n += 1) tokens.push(await alone.newToken(account));
  const created = await fetch(`${alone.url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" },
    body: JSON.stringify({ slug: "known", destination_url: "https://example.org/" }),
  });
  expect(created.status).toBe(201);
  await alone.stop();
  for (let n = 1; n < NODES; n += 1) cpSync(first, join(directory, `${n}`), { recursive: true });
  const env = {
    REDIS_URL: redis.url,
    KURZ_TRUST_PROXY: "1",
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_RATE_LIMIT_PER_MINUTE: `${LIMIT}`,
    ...metricsOnFreePort,
  };
  nodes = await Promise.all(
    Array.from({ length: NODES }, (_, n) => startKurz({ env, dataDir: join(directory, `${n}`) })),
  );
});
afterAll(async () => {
  redis.thaw();
  await Promise.all(nodes.map((node) => node.stop()));
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

const untilUp = (isUp: boolean) => untilCoordinationIs(isUp ? "up" : "away", nodes);
const together = (round: () => Promise<void>) => decideTogether(nodes, round);

/** A client of its own, wherever it connects. */
const newVisitor = (): Readonly<Record<string, string>> => {
  visitors += 1;
  return { "x-forwarded-for": `198.51.100.${visitors}` };
};

const me = (node: KurzServer, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${node.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}`, ...headers } });

async function forEachNode<T>(times: number, ask: (node: KurzServer) => Promise<T>): Promise<T[]> {
  return Promise.all(nodes.flatMap((node) => Array.from({ length: times }, () => ask(node))));
}

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

describe("nodes that share a coordination server", () => {
  test("let exactly 120 requests of a token through, and say truly how many are left", async () => {
    await together(async () => {
      const token = tokens.pop() ?? "";
      const answers = await forEachNode(100, (node) => me(node, token));
      const left = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers.get("x-ratelimit-remaining")))
        .toSorted((a, b) => a - b);
      expect(left).toEqual(Array.from({ length: LIMIT }, (_, n) => n));
      expect(
        count(
          answers.map(({ status }) => status),
          429,
        ),
      ).toBe(NODES * 100 - LIMIT);
    });
  });

  test("let exactly 30 wrong tokens a minute through from one address", async () => {
    await together(async () => {
      const visitor = newVisitor();
      const answers = await forEachNode(40, (node) => me(node, forgeToken(), visitor));
      const statuses = answers.map(({ status }) => status);
      expect([count(statuses, 401), count(statuses, 429)]).toEqual([30, 50]);
    });
  });

  test("let five attempts to sign in through, wherever they are made", async () => {
    let people = 0;
    await together(async () => {
      people += 1;
      const visitor = newVisitor();
      const body = JSON.stringify({ email: `nobody-${people}@example.com`, password: "a wrong password" });
      const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json", ...visitor };
      const answers = await forEachNode(6, (node) =>
        fetch(`${node.url}/console/api/sign-in`, { method: "POST", headers, body }),
      );
      expect(
        count(
          answers.map(({ status }) => status),
          429,
        ),
      ).toBe(2 * 6 - 5);
    });
  });

  test("refuse further misses of an address once all of them together had too many", async () => {
    const [first, second] = nodes as [KurzServer, KurzServer];
    const visitor = { headers: newVisitor() };
    for (let n = 0; n < 320; n += 1) await visit(first, `/unknown-${n}`, visitor);
    expect((await visit(first, "/unknown", visitor)).status).toBe(404);
    for (let n = 0; n < 280; n += 1) await visit(second, `/unknown-${n}`, visitor);
    for (const node of [second, first]) {
      await until("it is refused", async () => (await visit(node, "/unknown", visitor)).status === 429);
      expect((await visit(node, "/known", visitor)).status).toBe(302);
    }
  });

  test("redirect and answer without it, say so once, and are back by themselves", async () => {
    const [node] = nodes as [KurzServer];
    const token = await node.newToken(account);
    await untilUp(true);
    const lines = (text: string): number => (node.output.stdout + node.output.stderr).split(text).length - 1;
    const before = [lines("is away"), lines("is back")];
    redis.freeze();
    const statuses = await Promise.all(Array.from({ length: 200 }, () => me(node, token).then(({ status }) => status)));
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([LIMIT, 200 - LIMIT]);
    await untilUp(false);
    for (let n = 0; n < 100; n += 1) expect((await visit(node, "/known", { headers: newVisitor() })).status).toBe(302);
    redis.thaw();
    await untilUp(true);
    await until(
      "both changes are in the log",
      () => lines("is away") > (before[0] ?? 0) && lines("is back") > (before[1] ?? 0),
    );
  });
});
