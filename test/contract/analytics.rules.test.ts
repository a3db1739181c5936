import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnalyticsReport, Link } from "#sdk/generated.ts";
import { type Api, type Caller, joinApi, newLink } from "#test/support/api-client.ts";
import { click, untilReported, userAgents } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

let api: Api;
let caller: Caller;
let ruled: Link;

const to = (path: string): string => `https://example.com/${path}`;

/** By rule: two on iPhones, three by one visitor of the split, one of neither. */
beforeAll(async () => {
  api = await joinApi();
  caller = await api.newCaller();
  ruled = await newLink(caller.kurz, {
    rules: [
      { name: "ios", when: { os: ["iOS"] }, destination_url: to("ios") },
      {
        name: "test",
        when: { language: ["de"] },
        split: [
          { name: "a", weight: 1, destination_url: to("a") },
          { name: "b", weight: 1, destination_url: to("b") },
        ],
      },
    ],
  });
  const iphone = { headers: { "User-Agent": userAgents.iphone } };
  const german = { headers: { "Accept-Language": "de-AT" } };
  for (const visit of [iphone, iphone, german, german, german, {}]) await click(api.server, ruled, visit);
  await click(api.server, await newLink(caller.kurz));
  await untilReported(caller.kurz, 7);
});
afterAll(() => api.stop());

const keysIn = ({ breakdowns }: AnalyticsReport, name: string): string[] | undefined =>
  breakdowns[name]?.items.map(({ key, clicks }) => `${key} ${clicks}`);

describe("clicks by rule", () => {
  test("show what decided: a rule, a way of a split, or nothing", async () => {
    const { breakdowns } = await caller.kurz.links.analytics(ruled.id, { interval: "24h", group_by: ["rule"] });
    const items = breakdowns.rule?.items ?? [];
    // The same visitor always goes the same way.
    expect(items[0]).toMatchObject({ key: expect.stringMatching(/^test\/[ab]$/), clicks: 3 });
    expect(items.slice(1)).toMatchObject([
      { key: "ios", clicks: 2 },
      { key: null, clicks: 1 },
    ]);
  });

  test("can be filtered, also across the account's links", async () => {
    const ofLink = (rule: string[]) => caller.kurz.links.analytics(ruled.id, { interval: "24h", rule });
    expect((await ofLink(["ios"])).totals.clicks).toBe(2);
    expect((await ofLink(["ios", ""])).totals.clicks).toBe(3);
    expect((await ofLink(["test"])).totals.clicks).toBe(0);
    expect((await caller.kurz.analytics.get({ interval: "24h", rule: [""] })).totals.clicks).toBe(2);
  });

  test("are a CSV file", async () => {
    const path = `/api/v1/links/${ruled.id}/analytics?format=csv&group_by=rule`;
    const { text } = await api.call({ path, token: caller.token });
    expect(text).toMatch(/^rule,clicks,unique_visitors\r\ntest\/[ab],3,1\r\nios,2,1\r\n,1,1\r\n$/);
  });

  test("keep the name that a rule had at the time", async () => {
    const rules = [{ name: "apple", when: { os: ["iOS"] }, destination_url: to("ios") }];
    const link = await newLink(caller.kurz, { rules });
    const iphone = { headers: { "User-Agent": userAgents.iphone } };
    await click(api.server, link, iphone);
    await caller.kurz.links.update(link.id, { rules: [{ ...rules[0], name: "phones", destination_url: to("ios") }] });
    await click(api.server, link, iphone);
    const read = () => caller.kurz.links.analytics(link.id, { interval: "24h", group_by: ["rule"] });
    await until("both are reported", async () => (await read()).totals.clicks === 2);
    expect(keysIn(await read(), "rule")).toEqual(["apple 1", "phones 1"]);
  });
});

describe("clicks by domain", () => {
  test("have the host of short URLs, and can be filtered by it", async () => {
    const { totals, ...report } = await caller.kurz.analytics.get({ interval: "24h", group_by: ["domain"] });
    expect(keysIn({ totals, ...report }, "domain")).toEqual([`${ruled.domain} ${totals.clicks}`]);
    const clicksOn = async (domain: string[]) =>
      (await caller.kurz.analytics.get({ interval: "24h", domain })).totals.clicks;
    expect(await clicksOn([ruled.domain.toUpperCase()])).toBe(totals.clicks);
    expect(await clicksOn(["go.acme.example"])).toBe(0);
  });
});
