import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Click, Link } from "#sdk/generated.ts";
import { type Api, type Caller, errorOf, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { until } from "#test/support/until.ts";

let api: Api;
let caller: Caller;
let [sale, other]: Link[] = [];

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
const REFERRERS = 1200;

beforeAll(async () => {
  api = await joinApi();
  caller = await api.newCaller();
  sale = await newLink(caller.kurz, { tags: ["spring", "print"] });
  other = await newLink(caller.kurz, { tags: ["spring"] });
  const reader = { country: "DE", browser: "Firefox", device: "desktop", os: "Linux" } as const;
  await leavePastClicks(api.server, [
    { link: sale.id, at: hoursAgo(2), times: 30, ...reader, referrer: "news.example" },
    { link: other.id, at: hoursAgo(40), times: 20, country: "FR", source: "qr", utm_source: "print" },
    { link: sale.id, at: hoursAgo(3), times: 5, bot: true },
    ...Array.from({ length: REFERRERS }, (_, index) => ({
      ...{ link: other?.id ?? "", at: hoursAgo(24 * 200), times: 1, referrer: `${index}.example` },
    })),
  ]);
  await until("the clicks are in reports", async () => {
    const { totals } = await caller.kurz.analytics.get({ interval: "1y", include_bots: true });
    return totals.clicks === 55 + REFERRERS;
  });
});
afterAll(() => api.stop());

const ask = (query: string, options = {}) =>
  api.call({ path: `/api/v1/clicks?${query}`, token: caller.token, ...options });

const collect = async (query: Parameters<Caller["kurz"]["clicks"]["all"]>[0]): Promise<Click[]> =>
  Array.fromAsync(caller.kurz.clicks.all(query));

describe("single clicks", () => {
  test("are listed newest first, with what webhooks show of them, and nobody's identity", async () => {
    const { data, has_more } = await caller.kurz.clicks.list({ limit: 1 });
    expect(has_more).toBe(true);
    expect(data).toEqual([
      {
        ...{ at: expect.any(String), country: "DE", referrer: "news.example", device: "desktop", browser: "Firefox" },
        ...{ os: "Linux", source: "link", rule: null, bot: false },
        link: { id: sale?.id, short_url: sale?.short_url, domain: sale?.domain, slug: sale?.slug },
      } as Click,
    ]);
    const all = await collect({});
    const times = all.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(all).toHaveLength(50);
  });

  test("come in pages of any size, each click once, and the Link header has the next", async () => {
    const whole = await collect({ limit: 1000, include_bots: true });
    expect(whole).toHaveLength(55);
    for (const limit of [1, 7, 50]) expect(await collect({ limit, include_bots: true })).toEqual(whole);
    const { headers } = await ask("limit=50");
    expect(headers.get("Link")).toBeNull();
    const next = (await ask("limit=7&country=DE")).headers.get("Link") ?? "";
    expect(next).toMatch(/^<\/api\/v1\/clicks\?limit=7&country=DE&cursor=[\w-]+>; rel="next"$/);
  });

  test("are filtered as in reports", async () => {
    const count = async (query: Parameters<typeof collect>[0]) => (await collect(query)).length;
    expect(await count({ country: ["fr"] })).toBe(20);
    expect(await count({ country: ["DE"], source: ["qr"] })).toBe(0);
    expect(await count({ interval: "24h" })).toBe(30);
    expect(await count({ link: [other?.id ?? ""] })).toBe(20);
    expect(await count({ referrer: [""] })).toBe(20);
    expect(await count({ interval: "all" })).toBe(50 + REFERRERS);
    expect(await count({ tag: ["spring", "print"] })).toBe(50);
    expect(await count({ tag: ["spring", "print"], tag_mode: "all" })).toBe(30);
    expect(await count({ tag: [""] })).toBe(0);
    const stranger = await api.newCaller();
    expect((await stranger.kurz.clicks.list()).data).toEqual([]);
    const foreign = { path: `/api/v1/clicks?link=${sale?.id}`, token: stranger.token };
    expect((await api.call(foreign)).json).toMatchObject({ data: [] });
  });

  test("are exported as one JSON object per line", async () => {
    const { status, headers, text } = await ask("format=ndjson&interval=all&limit=1");
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="clicks.ndjson"');
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as Click)).toEqual(await collect({ interval: "all" }));
    const { next_cursor } = await caller.kurz.clicks.list({ limit: 49 });
    const rest = await ask(`format=ndjson&cursor=${next_cursor}`);
    expect(rest.text.trimEnd().split("\n")).toHaveLength(1);
    expect((await ask("format=ndjson&country=XX")).text).toBe("");
    const head = await ask("format=ndjson", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test.each([
    ["limit=1001", "query limit out_of_range"],
    ["cursor=abc", "query cursor invalid_cursor"],
    ["interval=1w", "query interval not_in_enum"],
    ["from=yesterday", "query from invalid_format"],
    ["timezone=Mars/Olympus", "query timezone invalid_timezone"],
    ["tag_mode=none", "query tag_mode not_in_enum"],
    ["group_by=country", "query group_by unknown_field"],
  ])("%s is refused", async (query, problem) => {
    const answer = await ask(query);
    expect([answer.status, fieldErrorsOf(errorOf(answer))]).toEqual([422, [problem]]);
  });

  test("a cursor only works with the same filters", async () => {
    const { next_cursor } = await caller.kurz.clicks.list({ limit: 1 });
    const answer = await ask(`cursor=${next_cursor}&country=DE`);
    expect(fieldErrorsOf(errorOf(answer))).toEqual(["query cursor invalid_cursor"]);
  });
});

describe("a long breakdown", () => {
  test("has up to 1000 items in JSON", async () => {
    const { breakdowns, totals } = await caller.kurz.analytics.get({
      ...{ interval: "1y", group_by: ["referrer"], limit: 1000 },
    });
    expect(totals.clicks).toBe(50 + REFERRERS);
    expect(breakdowns.referrer?.items).toHaveLength(1000);
    expect(breakdowns.referrer?.items[0]).toEqual({ key: "news.example", clicks: 30, unique_visitors: 30 });
    expect(breakdowns.referrer?.other_clicks).toBe(REFERRERS - 998);
  });

  test("is complete in CSV, whatever the limit", async () => {
    const csv = await caller.kurz.analytics.get({ interval: "1y", group_by: ["referrer"], limit: 1, format: "csv" });
    const [heading, ...rows] = csv.trimEnd().split("\r\n");
    expect(heading).toBe("referrer,clicks,unique_visitors");
    expect(rows).toHaveLength(REFERRERS + 2);
    expect(rows.slice(0, 2)).toEqual(["news.example,30,30", ",20,20"]);
    const links = await caller.kurz.analytics.get({ interval: "1y", group_by: ["link"], format: "csv" });
    expect(links).toBe(
      `link,clicks,unique_visitors\r\n${other?.id},${20 + REFERRERS},${20 + REFERRERS}\r\n${sale?.id},30,30\r\n`,
    );
  });

  test("of links with all of several tags differs from that of links with any", async () => {
    const clicks = async (tag_mode: "any" | "all") =>
      (await caller.kurz.analytics.get({ tag: ["print", "spring"], tag_mode })).totals.clicks;
    expect(await Promise.all([clicks("any"), clicks("all")])).toEqual([50, 30]);
  });
});
