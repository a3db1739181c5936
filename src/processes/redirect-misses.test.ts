import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { type ChangePublisher, openChangePublisher } from "#engines/coordination/change-publisher.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { until } from "#test/support/until.ts";
import { openRedirect } from "./redirect.ts";

let file: LinkFile;
const stops: (() => Promise<void>)[] = [];
let servers = 0;

beforeAll(() => {
  file = openLinkFile();
  file.add({ slug: "abc" });
  file.add({ slug: "soon", expires_at: Date.now() + 3_600_000 });
  file.add({ slug: "paused", state: "paused" });
  file.add({ slug: "expired", expires_at: 1 });
  file.add({ slug: "deleted" });
  file.remove("deleted");
});

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  file.close();
});

function start(change: Partial<Config> = {}): number {
  const config = loadConfig({ KURZ_DATA_DIR: file.dataDir });
  const server = openRedirect({ ...config, port: 0, trustProxy: 1, redirectProcesses: 1, ...change });
  stops.push(server.stop);
  servers += 1;
  return server.port;
}

describe("unknown slugs", () => {
  const open = (at: number, path: string, address = "203.0.113.9"): Promise<Response> =>
    fetch(`http://127.0.0.1:${at}${path}`, { redirect: "manual", headers: { "x-forwarded-for": address } });

  test("are refused after 600 misses of one address in a minute; links still open", async () => {
    const at = start();
    expect((await open(at, "/abc")).status).toBe(302);
    const startedAt = performance.now();
    const statuses = await Promise.all(Array.from({ length: 600 }, async (_, n) => (await open(at, `/no${n}`)).status));
    expect(new Set(statuses)).toEqual(new Set([404]));
    const leastAfter = () => 60 - Math.ceil((performance.now() - startedAt) / 1000);
    for (const path of ["/no601", "/no1", "/no602+"]) {
      const refused = await open(at, path);
      expect([path, refused.status]).toEqual([path, 429]);
      const seconds = Number(refused.headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(leastAfter());
      expect(seconds).toBeLessThanOrEqual(61);
    }
    expect((await open(at, "/abc")).status).toBe(302);
    expect((await open(at, "/soon")).status).toBe(302);
    expect((await open(at, "/no601", "203.0.113.10")).status).toBe(404);
    // A link that nobody has opened yet is found behind any number of further guesses.
    file.add({ slug: "cold" });
    const guesses = Array.from({ length: 500 }, (_, n) => open(at, `/more${n}`));
    expect((await open(at, "/cold")).status).toBe(302);
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([429]));
    expect((await open(at, "/paused", "203.0.113.10")).status).toBe(404);
    expect((await open(at, "/abc")).status).toBe(302);
  });

  test("paused and gone links are no misses, and a network of IPv6 counts as one", async () => {
    const at = start();
    for (let n = 0; n < 310; n += 1) {
      await Promise.all([open(at, "/paused"), open(at, "/deleted"), open(at, "/expired"), open(at, "/favicon.ico")]);
    }
    expect((await open(at, "/nosuch")).status).toBe(404);
    await Promise.all(Array.from({ length: 600 }, (_, n) => open(at, "/nosuch", `2001:db8::${n.toString(16)}`)));
    expect((await open(at, "/nosuch", "2001:db8::ffff:1")).status).toBe(429);
    expect((await open(at, "/nosuch", "2001:db8:0:1::1")).status).toBe(404);
  });

  test("are never refused when limits are off", async () => {
    const at = start({ rateLimitPerMinute: 0 });
    const statuses = await Promise.all(Array.from({ length: 700 }, async () => (await open(at, "/nosuch")).status));
    expect(new Set(statuses)).toEqual(new Set([404]));
  });

  test("are added up over all processes, within a tenth of the limit", async () => {
    const reader = openSqliteRedirectReader(file.path);
    const publisher: ChangePublisher = await openChangePublisher({
      socketPath: dataPaths(file.dataDir).changesSocket,
      records: reader,
      missLimitPerMinute: 600,
    });
    stops.push(async () => {
      publisher.close();
      await reader.close();
    });
    const ports = [start({ redirectProcesses: 2 }), start({ redirectProcesses: 2 })];
    // Those of the other tests as well, since they work on the same data.
    await until("all subscribe", () => publisher.subscribers() === servers);
    const ask = async (n: number): Promise<number> => (await open(ports[n % 2] ?? 0, `/no${n}`, "198.51.100.7")).status;
    const statuses = await Promise.all(Array.from({ length: 1500 }, (_, n) => ask(n)));
    const accepted = statuses.filter((status) => status === 404).length;
    expect(accepted).toBeGreaterThanOrEqual(600);
    expect(accepted).toBeLessThanOrEqual(660);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1500 - accepted);
  });
});
