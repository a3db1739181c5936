import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import CachePolicy from "http-cache-semantics";
import type { Kurz } from "#sdk/client.ts";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { testProfile } from "#test/support/profile.ts";
import { type Visit, visit } from "#test/support/visit.ts";

const MISSES_MAX = 600;
const BOUND = MISSES_MAX * 1.1;
const BATCH = 50;

let api: Api;
let kurz: Kurz;
let visitors = 0;

beforeAll(async () => {
  // Behind a proxy, so that each test has visitors of its own.
  api = await startApi({ KURZ_TRUST_PROXY: "1", KURZ_REDIRECT_PROCESSES: "2" });
  ({ kurz } = await api.newCaller());
});
afterAll(() => api.stop());

const newVisitor = () => {
  visitors += 1;
  const headers = { "X-Forwarded-For": `198.51.100.${visitors}` };
  return (path: string): Promise<Visit> => visit(api.server, path, { headers });
};

type Open = ReturnType<typeof newVisitor>;

/** Visits many paths, some at a time, and counts the answers by status. */
async function openMany(open: Open, paths: readonly string[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let start = 0; start < paths.length; start += BATCH) {
    for (const { status } of await Promise.all(paths.slice(start, start + BATCH).map(open))) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }
  return counts;
}

const guesses = (count: number): string[] =>
  Array.from({ length: count }, () => `/${crypto.randomUUID().replaceAll("-", "")}`);

/** By all processes: each has some of the visits. Control may be too busy to add up what they count, so it may take more. */
async function openUntilRefused(open: Open): Promise<void> {
  for (let refused = 0; refused < BATCH; ) refused = (await openMany(open, guesses(BATCH))).get(429) ?? 0;
}

describe("a client that guesses slugs", () => {
  test("gets about 600 misses a minute, then 429, without affecting other clients or existing links", async () => {
    const { slug } = await newLink(kurz);
    const open = newVisitor();
    const cold: Awaited<ReturnType<typeof newLink>>[] = [];
    while (cold.length < 30) cold.push(await newLink(kurz));
    const counts = await openMany(open, guesses(800));
    const missed = counts.get(404) ?? 0;
    expect(missed).toBeWithin(MISSES_MAX, BOUND + 1);
    // A server for records may take too long on an overloaded machine; then nobody knows whether there is a link.
    const unknown = testProfile() === "embedded" ? 0 : (counts.get(503) ?? 0);
    expect(counts.get(429)).toBe(800 - missed - unknown);

    const refused = await open("/one-more-guess");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
    expect(Number(refused.headers.get("Retry-After"))).toBeWithin(1, 63);
    const policy = new CachePolicy(
      { headers: {} },
      { status: 429, headers: Object.fromEntries(refused.headers) },
      { shared: false },
    );
    expect(policy.storable()).toBe(false);

    expect((await open(`/${slug}`)).status).toBe(302);
    const unopened = cold.map((link) => `/${link.slug}`);
    expect(await openMany(open, unopened)).toEqual(new Map([[302, unopened.length]]));
    expect((await newVisitor()("/a-guess-of-another")).status).toBe(404);
  });

  test("isn't helped by a made-up address left of the proxy's", async () => {
    const refusedFor = (claimed: string) =>
      visit(api.server, "/guess", { headers: { "X-Forwarded-For": `${claimed}, 198.51.100.${visitors}` } });
    visitors += 1;
    const open: Open = (path) => visit(api.server, path, { headers: { "X-Forwarded-For": `198.51.100.${visitors}` } });
    await openUntilRefused(open);
    expect((await refusedFor("203.0.113.1")).status).toBe(429);
    expect((await refusedFor("203.0.113.2")).status).toBe(429);
  });

  test("is a whole /64 network in IPv6", async () => {
    let host = 0;
    const open: Open = (path) => {
      host += 1;
      return visit(api.server, path, { headers: { "X-Forwarded-For": `2001:db8:1:2::${host.toString(16)}` } });
    };
    const counts = await openMany(open, guesses(800));
    expect(counts.get(404)).toBeWithin(MISSES_MAX, BOUND + 1);
  });
});

test("paused, archived and deleted links aren't misses, however often they are visited", async () => {
  const [paused, archived, deleted] = [await newLink(kurz), await newLink(kurz), await newLink(kurz)];
  await kurz.links.pause(paused.id);
  await kurz.links.archive(archived.id);
  await kurz.links.delete(deleted.id);
  const open = newVisitor();
  for (const [{ slug }, status] of [
    [paused, 404],
    [archived, 410],
    [deleted, 410],
  ] as const) {
    expect(await openMany(open, Array<string>(700).fill(`/${slug}`))).toEqual(new Map([[status, 700]]));
  }
  expect((await open("/a-first-guess")).status).toBe(404);
});

test("redirects have no limit and no rate limit headers", async () => {
  const { slug } = await newLink(kurz);
  const open = newVisitor();
  expect(await openMany(open, Array<string>(1000).fill(`/${slug}`))).toEqual(new Map([[302, 1000]]));
  expect([...(await open(`/${slug}`)).headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
});
