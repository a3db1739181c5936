import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { AnalyticsGetQuery, AnalyticsReport, Link } from "#sdk/generated.ts";
import { type Api, type Caller, errorFrom, joinApi, newLink } from "#test/support/api-client.ts";
import { click, untilReported } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

let api: Api;
let caller: Caller;
let spring: Link;
let sale: Link;
let bare: Link;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

beforeEach(async () => {
  caller = await api.newCaller();
  [spring, sale, bare] = await Promise.all([
    newLink(caller.kurz, { tags: ["Spring", "Sale"] }),
    newLink(caller.kurz, { tags: ["sale"] }),
    newLink(caller.kurz),
  ]);
  const [one, two, three] = [spring, sale, bare];
  for (const link of [one, one, one, two, two, three]) await click(api.server, link);
  await untilReported(caller.kurz, 6);
  await untilTags("sale 5", "spring 3", "null 1");
});

const report = (query: Omit<AnalyticsGetQuery, "format"> = {}): Promise<AnalyticsReport> =>
  caller.kurz.analytics.get({ interval: "24h", ...query });
const clicksOf = async (query: Omit<AnalyticsGetQuery, "format">) => (await report(query)).totals.clicks;

async function keysBy(name: "link" | "tag"): Promise<string[]> {
  const { breakdowns } = await report({ group_by: [name] });
  return breakdowns[name]?.items.map(({ key, clicks }) => `${key} ${clicks}`) ?? [];
}

async function untilTags(...expected: string[]): Promise<void> {
  let found: string[] = [];
  const isSo = async () => {
    found = await keysBy("tag");
    return Bun.deepEquals(found, expected);
  };
  await until("the tags are in the reports", isSo).catch(() => expect(found).toEqual(expected));
}

describe("an account report", () => {
  test("sums up its links and lists them by id", async () => {
    const given = await report({ group_by: ["link"] });
    expect(given.scope).toEqual({ type: "account" });
    expect(given.totals).toMatchObject({ clicks: 6, unique_visitors: 1 });
    expect(await keysBy("link")).toEqual([`${spring.id} 3`, `${sale.id} 2`, `${bare.id} 1`]);
    const each = await Promise.all([spring, sale, bare].map(({ id }) => caller.kurz.links.analytics(id)));
    expect(each.map(({ totals }) => totals.clicks)).toEqual([3, 2, 1]);
  });

  test("follows a tag that is renamed, merged or deleted", async () => {
    await caller.kurz.tags.update("spring", { name: "Summer" });
    await untilTags("sale 5", "summer 3", "null 1");
    await caller.kurz.tags.update("summer", { name: "sale", merge: true });
    await untilTags("sale 5", "null 1");
    await caller.kurz.tags.delete("sale");
    await untilTags("null 6");
  });

  test("filters by link and by tag, ignoring the case of tags", async () => {
    expect(await clicksOf({ link: [spring.id] })).toBe(3);
    expect(await clicksOf({ link: [spring.id, bare.id] })).toBe(4);
    expect(await clicksOf({ tag: ["SALE"] })).toBe(5);
    expect(await clicksOf({ tag: ["spring", "sale"] })).toBe(5);
    expect(await clicksOf({ tag: ["spring", "sale"], tag_mode: "any" })).toBe(5);
    expect(await clicksOf({ tag: ["Spring", "sale"], tag_mode: "all" })).toBe(3);
    expect(await clicksOf({ tag: ["sale", ""], tag_mode: "all" })).toBe(0);
    expect(await clicksOf({ tag: ["spring", ""] })).toBe(4);
    expect(await clicksOf({ tag: [""], tag_mode: "all" })).toBe(1);
    expect(await clicksOf({ tag: [""] })).toBe(1);
    expect(await clicksOf({ tag: ["sale"], link: [spring.id] })).toBe(3);
    expect(await clicksOf({ tag: ["unknown"] })).toBe(0);
  });

  test("uses the current tags of links for all of their clicks", async () => {
    await caller.kurz.links.update(spring.id, { tags: ["Summer"] });
    await caller.kurz.links.update(bare.id, { tags: ["summer"] });
    await untilTags("summer 4", "sale 2");
    await caller.kurz.links.update(sale.id, { tags: [] });
    await untilTags("summer 4", "null 2");
  });

  test("shows nothing of other accounts, even if asked for the ids of their links", async () => {
    const stranger = await api.newCaller();
    const { totals, breakdowns } = await stranger.kurz.analytics.get({ group_by: ["link", "tag"] });
    expect(totals).toEqual({ clicks: 0, unique_visitors: 0, qr_scans: 0, bot_hits: 0 });
    expect(breakdowns).toEqual({ link: { items: [], other_clicks: 0 }, tag: { items: [], other_clicks: 0 } });
    for (const link of [spring.id, "lnk_nothing", "", "1"]) {
      expect((await stranger.kurz.analytics.get({ link: [link] })).totals.clicks).toBe(0);
    }
    await errorFrom(stranger.kurz.links.analytics(spring.id), "not_found");
  });

  test("keeps the clicks of a link in the trash, and shows which link it was", async () => {
    await caller.kurz.links.delete(sale.id);
    expect(await clicksOf({ link: [sale.id] })).toBe(2);
    expect(await keysBy("link")).toContain(`${sale.id} 2`);
    expect((await caller.kurz.links.analytics(sale.id)).totals.clicks).toBe(2);
    await caller.kurz.links.restore(sale.id);
    expect(await clicksOf({ link: [sale.id] })).toBe(2);
  });

  test("loses the clicks of an erased link, whose own report is gone at once", async () => {
    await caller.kurz.links.delete(spring.id, { permanent: true });
    await errorFrom(caller.kurz.links.analytics(spring.id), "not_found");
    expect(await clicksOf({ link: [spring.id] })).toBe(0);
    await until("its clicks are erased", async () => (await clicksOf({})) === 3);
    expect(await keysBy("link")).toEqual([`${sale.id} 2`, `${bare.id} 1`]);
    await untilTags("sale 2", "null 1");
  });

  test("keeps the clicks of links that are paused or archived", async () => {
    await caller.kurz.links.pause(spring.id);
    await caller.kurz.links.archive(sale.id);
    expect(await clicksOf({})).toBe(6);
    expect((await caller.kurz.links.analytics(sale.id)).totals.clicks).toBe(2);
    // A visit that isn't redirected is no click.
    expect((await click(api.server, spring)).status).toBe(404);
    expect((await click(api.server, sale)).status).toBe(410);
    await click(api.server, bare);
    await untilReported(caller.kurz, 7);
    expect(await clicksOf({ link: [spring.id, sale.id] })).toBe(5);
  });
});
