import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { addressOfVisitor, redirectsOf } from "#test/support/many-visitors.ts";
import { toBytes } from "#test/support/raw-message.ts";
import { withinOneDay } from "#test/support/within-one-day.ts";

setDefaultTimeout(600_000);
// The share of a way is off by 1 % about once in ten billion runs: that is 6.4 standard deviations.
const VISITORS = 100_000;
const BACK_AGAIN = 5000;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const WEIGHTS = { a: 60, b: 40 };
const to = (name: string): string => `https://example.com/${name}`;
const split = Object.entries(WEIGHTS).map(([name, weight]) => ({ name, weight, destination_url: to(name) }));

describe.each([
  ["the fast lane", "on", 100],
  ["the HTTP server", "off", 1],
] as const)("behind %s", (_, fastLane, pipelined) => {
  let api: Api;
  let caller: Caller;
  beforeAll(async () => {
    api = await startApi({ KURZ_FAST_LANE: fastLane, KURZ_TRUST_PROXY: "1" });
    caller = await api.newCaller();
  });
  afterAll(() => api.stop());

  const requestOf = (slug: string, visitor: number, headers: readonly (readonly [string, string])[] = []): string =>
    toBytes({
      target: `/${slug}`,
      headers: [["X-Forwarded-For", addressOfVisitor(visitor)], ["User-Agent", BROWSER], ...headers],
    });
  const waysOf = (requests: readonly string[]): Promise<string[]> =>
    redirectsOf({ port: api.server.port, requests, pipelined });

  /** How far each way is from its share. */
  const errorsOf = (ways: readonly string[]): number[] =>
    Object.entries(WEIGHTS).map(([name, weight]) =>
      Math.abs(ways.filter((way) => way === to(name)).length / ways.length - weight / 100),
    );

  test("100,000 visitors meet the weights of a split within 1 %, and keep their ways", async () => {
    const { slug } = await newLink(caller.kurz, { rules: [{ name: "test", split }] });
    const requests = Array.from({ length: VISITORS }, (_, visitor) => requestOf(slug, visitor));
    const [ways, again] = await withinOneDay(
      async (): Promise<[string[], string[]]> => [await waysOf(requests), await waysOf(requests.slice(0, BACK_AGAIN))],
    );
    expect(Math.max(...errorsOf(ways))).toBeLessThan(0.01);
    expect(again).toEqual(ways.slice(0, BACK_AGAIN));
  });

  test("a visitor who must not be recognized gets a random way each time", async () => {
    const { slug } = await newLink(caller.kurz, { rules: [{ name: "test", split }] });
    const ways = await waysOf(Array.from({ length: BACK_AGAIN }, () => requestOf(slug, 1, [["Sec-GPC", "1"]])));
    // Six standard deviations.
    expect(Math.max(...errorsOf(ways))).toBeLessThan(6 * Math.sqrt((0.6 * 0.4) / BACK_AGAIN));
  });
});
