import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createEnricher } from "#clicks/classify/enricher.ts";
import { openBundledGeo } from "#clicks/classify/geo.ts";
import { journalSink } from "#clicks/journal-sink.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { keepSalts } from "#clicks/visitor/salts.ts";
import { loadConfig } from "#config/load-config.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { addressOfVisitor, redirectsOf } from "#test/support/many-visitors.ts";
import { toBytes } from "#test/support/raw-message.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 5, 17);
const VISITORS = 500;
const split = ["a", "b", "c"].map((name) => ({ name, weight: 1, destination_url: `https://example.com/${name}` }));

describe.each([
  ["the fast lane", true],
  ["the HTTP server", false],
])("a split behind %s", (_, fastLane) => {
  let file: LinkFile;
  let server: OpenRedirect;
  let now = MIDNIGHT;
  let salts: SaltReader;
  let saltFile: string;

  /** What control and redirect processes do over time. */
  const moveClock = async (to: number): Promise<void> => {
    now = to;
    keepSalts(saltFile, now);
    await salts.check(now);
  };

  beforeAll(() => {
    file = openLinkFile();
    file.add({ slug: "split", settings: { rules: [{ name: "test", split }] } });
    saltFile = join(file.dataDir, "salts.json");
    salts = new SaltReader(saltFile);
    const enricher = createEnricher({ salts, geo: openBundledGeo(), countryHeader: null, ownHosts: ["s.example"] });
    const config = { ...loadConfig({ KURZ_DATA_DIR: file.dataDir }), port: 0, rateLimitPerMinute: 0, trustProxy: 1 };
    server = openRedirect(
      { ...config, fastLane },
      journalSink(enricher, { append: async () => {} }, () => now),
    );
  });
  afterAll(async () => {
    await server.stop();
    file.close();
  });

  const waysOfAll = (): Promise<string[]> =>
    redirectsOf({
      port: server.port,
      requests: Array.from({ length: VISITORS }, (_, visitor) =>
        toBytes({ target: "/split", headers: [["X-Forwarded-For", addressOfVisitor(visitor)]] }),
      ),
      pipelined: fastLane ? 50 : 1,
    });

  test("leads a visitor the same way from midnight to midnight, and may choose another the next day", async () => {
    await moveClock(MIDNIGHT);
    const ways = await waysOfAll();
    expect(new Set(ways)).toEqual(new Set(split.map((way) => way.destination_url)));
    for (const sinceMidnight of [1, HOUR_MS, 12 * HOUR_MS - 1, 12 * HOUR_MS, 18 * HOUR_MS, DAY_MS - 1]) {
      await moveClock(MIDNIGHT + sinceMidnight);
      expect([sinceMidnight, await waysOfAll()]).toEqual([sinceMidnight, ways]);
    }
    await moveClock(MIDNIGHT + DAY_MS);
    const next = await waysOfAll();
    // A third of them would keep their way by chance. That all do happens once in 3^500 times.
    expect(next).not.toEqual(ways);
    await moveClock(MIDNIGHT + DAY_MS - 1);
    expect(await waysOfAll()).toEqual(ways);
  });
});
