import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { type AskedService, type ImportService, readAll, startImportService } from "#test/support/import-service.ts";
import { shlinkSource } from "./shlink.ts";

setDefaultTimeout(600_000);

let running: ImportService | undefined;
afterEach(() => running?.stop());

// As Shlink's OpenAPI document describes its answers.
const shortUrl = (shortCode: string, over: object = {}) => ({
  shortCode,
  shortUrl: `https://s.example/${shortCode}`,
  longUrl: `https://e.example/${shortCode}`,
  dateCreated: "2026-01-02T03:04:05+01:00",
  visitsSummary: { total: 0, nonBots: 0, bots: 0 },
  tags: [],
  meta: { validSince: null, validUntil: null, maxVisits: null },
  ...{ domain: null, title: null, crawlable: false, forwardQuery: true, hasRedirectRules: false },
  ...over,
});
const visit = (date: string, over: object = {}) => ({
  ...{ referer: "", date, userAgent: FIREFOX, visitLocation: null, potentialBot: false },
  ...{ visitedUrl: "https://s.example/a", redirectUrl: "https://e.example/a" },
  ...over,
});
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

const paged = (name: string, all: readonly unknown[], { page = "1", itemsPerPage = "10" }: AskedService["query"]) => {
  const size = Number(itemsPerPage);
  const data = all.slice((Number(page) - 1) * size, Number(page) * size);
  const pagination = { currentPage: Number(page), pagesCount: Math.ceil(all.length / size), totalItems: all.length };
  return { [name]: { data, pagination } };
};

function shlink({ links, visits = {}, rules = {} }: Record<"links", unknown[]> & Record<string, object>) {
  const started = startImportService(({ path, query, headers }) => {
    if (headers.get("x-api-key") !== "secret-token-5f2a") return Response.json({ detail: "no" }, { status: 401 });
    if (path === "/rest/v3/short-urls") return paged("shortUrls", links, query);
    const [, code = "", what = ""] = /^\/rest\/v3\/short-urls\/(.+)\/(visits|redirect-rules)$/.exec(path) ?? [];
    const found: unknown = Reflect.get(what === "visits" ? visits : rules, code);
    if (!Array.isArray(found)) return Response.json({ detail: "No URL found with that short code" }, { status: 404 });
    return what === "visits" ? paged("visits", found, query) : { defaultLongUrl: "", redirectRules: found };
  });
  running = started;
  return started;
}

test("short URLs of all pages become links with what they have", async () => {
  const full = shortUrl("deep/er", {
    shortUrl: "https://go.example/deep/er",
    domain: "go.example",
    title: "A title",
    tags: ["one", "two"],
    meta: { validSince: "2026-01-01T00:00:00+00:00", validUntil: "2027-01-01T00:00:00+01:00", maxVisits: 5 },
    visitsSummary: { total: 3, nonBots: 2, bots: 1 },
    ...{ crawlable: true, forwardQuery: false },
  });
  const others = Array.from({ length: 149 }, (_, index) => shortUrl(`c${index}`));
  const { url, asked } = shlink({ links: [full, ...others, { shortCode: "broken" }] });
  const { links, unreadable } = await readAll(shlinkSource, { url: `${url}/rest/v3/` });
  expect(links.length).toBe(150);
  expect(new Set(links.map(({ sourceId }) => sourceId)).size).toBe(150);
  expect(unreadable.map(({ where }) => where)).toEqual(["short URL 151"]);
  expect(links[0]).toEqual({
    ...{ sourceId: "go.example/deep/er", slug: "deep/er", host: "go.example", state: "active" },
    fields: {
      destination_url: "https://e.example/deep/er",
      title: "A title",
      tags: ["one", "two"],
      starts_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-12-31T23:00:00.000Z",
      max_clicks: 5,
      forward_query: false,
      rules: [],
    },
    ...{ createdAt: Date.UTC(2026, 0, 2, 2, 4, 5), hadPassword: false, usedClicks: 3 },
    losses: ["Search engines may not crawl short URLs here"],
  });
  // The visits of a link on another domain are asked for with that domain.
  expect(asked.find(({ path }) => path.endsWith("/deep/er/visits"))?.query).toMatchObject({ domain: "go.example" });
});

test("single visits become counts per quarter of an hour, with everything that is known of them", async () => {
  const visits = [
    visit("2026-01-02T10:20:00+00:00", {
      referer: "https://News.example/path",
      redirectUrl: "https://e.example/a?utm_source=mail",
      visitLocation: { countryCode: "DE", countryName: "Germany", regionName: "Bavaria", cityName: "Munich" },
    }),
    ...Array.from({ length: 1200 }, () => visit("2026-01-02T10:16:00+00:00")),
    visit("2026-01-02T11:00:00+01:00", { userAgent: "bot", potentialBot: true }),
    visit("2025-12-31T23:59:00+00:00"),
  ];
  const link = shortUrl("a", { visitsSummary: { total: visits.length } });
  const { url, asked } = shlink({ links: [link, shortUrl("none")], visits: { a: visits } });
  const { counts } = await readAll(shlinkSource, { url, countsFrom: Date.UTC(2026, 0, 1) });
  const known = { device: "desktop", browser: "Firefox", os: "Linux" };
  expect(counts.map(({ atMs, bot, clicks }) => [new Date(atMs).toISOString(), bot, clicks])).toEqual([
    ["2026-01-02T10:15:00.000Z", false, 1201],
    ["2026-01-02T10:00:00.000Z", true, 1],
  ]);
  expect(counts[0]?.cuts[0]?.counts).toEqual([
    {
      values: {
        ...known,
        ...{ utm_source: "mail", country: "DE", region: "Bavaria", city: "Munich", referrer: "news.example" },
      },
      clicks: 1,
    },
    { values: known, clicks: 1200 },
  ]);
  // One end for all pages, and none for a link without visits.
  const pages = asked.filter(({ path }) => path.endsWith("/visits"));
  expect(pages.map(({ path, query }) => [path, query.page])).toEqual([
    ["/rest/v3/short-urls/a/visits", "1"],
    ["/rest/v3/short-urls/a/visits", "2"],
  ]);
  expect(new Set(pages.map(({ query }) => query.endDate)).size).toBe(1);
});

test("rules are carried over if they can be expressed in full", async () => {
  const rule = (longUrl: string, priority: number, ...conditions: readonly (readonly string[])[]) => ({
    longUrl,
    priority,
    conditions: conditions.map(([type, matchValue = null, matchKey = null]) => ({ type, matchKey, matchValue })),
  });
  const rules = [
    rule("https://e.example/2", 2, ["query-param", "bar", "foo"], ["any-value-query-param", "", "x"]),
    rule("https://e.example/1", 1, ["device", "mobile"], ["device", "ios"], ["language", "fr"]),
    rule("https://e.example/3", 3, ["language", "en-US"]),
    rule("https://e.example/4", 4, ["ip-address", "1.2.3.4"]),
    rule("https://e.example/5", 5, ["geolocation-country-code", "de"], ["browser", "android_browser"]),
    rule(
      "https://e.example/6",
      6,
      ["after-date", "2026-01-01T00:00:00+00:00"],
      ["before-date", "2027-01-01T00:00:00+00:00"],
    ),
    rule("https://e.example/7", 7, ["geolocation-country-code", "DE"], ["geolocation-country-code", "FR"]),
  ];
  const { url } = shlink({ links: [shortUrl("a", { hasRedirectRules: true })], rules: { a: rules } });
  const { links } = await readAll(shlinkSource, { url });
  expect(links[0]?.losses).toEqual(["A redirect rule asks for something that rules here can't: it is left out"]);
  expect(links[0]?.fields.rules).toEqual([
    { when: { os: ["iOS"], language: ["fr"] }, destination_url: "https://e.example/1" },
    { when: { query: { foo: "bar", x: true } }, destination_url: "https://e.example/2" },
    { when: { country: ["DE"], browser: ["Android Browser"] }, destination_url: "https://e.example/5" },
    {
      when: { time: { after: "2026-01-01T00:00:00+00:00", before: "2027-01-01T00:00:00+00:00" } },
      destination_url: "https://e.example/6",
    },
  ]);
});

test("a limit of no visits pauses the link, and a wrong key is refused", async () => {
  const meta = { validSince: null, validUntil: null, maxVisits: 0 };
  const { url } = shlink({ links: [shortUrl("a", { meta })] });
  const { links } = await readAll(shlinkSource, { url });
  expect(links[0]).toMatchObject({ state: "paused", fields: { max_clicks: null } });
  await expect(readAll(shlinkSource, { url, token: "other" })).rejects.toThrow("Shlink answered with status 401: no");
});

test("a link that a page repeats is read once, with its visits once", async () => {
  const links = [
    shortUrl("a", { visitsSummary: { total: 1 } }),
    ...Array.from({ length: 99 }, (_, no) => shortUrl(`c${no}`)),
  ];
  const { url, asked } = shlink({
    links: [...links, ...links.slice(0, 1)],
    visits: { a: [visit("2026-01-02T10:20:00Z")] },
  });
  const read = await readAll(shlinkSource, { url });
  expect([read.links.length, read.counts.length]).toEqual([100, 1]);
  // Many links have the same second of creation, and pages of such an order may leave some out.
  expect(asked[0]?.query.orderBy).toBe("shortCode-ASC");
});

test("rules are found in versions that don't say which links have some, and in those that had devices instead", async () => {
  const android = { type: "device", matchKey: null, matchValue: "android" };
  const rules = { four: [{ longUrl: "https://e.example/4", priority: 1, conditions: [android] }] };
  const older = (code: string, over: object = {}) => shortUrl(code, { hasRedirectRules: undefined, ...over });
  const devices = { android: "https://e.example/3", ios: null, desktop: null };
  const { url } = shlink({
    links: [older("four"), older("three", { deviceLongUrls: devices }), older("two")],
    rules,
  });
  const { links } = await readAll(shlinkSource, { url });
  const when = { os: ["Android"] };
  expect(links.map(({ fields }) => fields.rules)).toEqual([
    [{ when, destination_url: "https://e.example/4" }],
    [{ when, destination_url: "https://e.example/3" }],
    [],
  ]);
});

test("a link that is deleted while others are read doesn't end the reading", async () => {
  const gone = shortUrl("gone", { visitsSummary: { total: 1 }, hasRedirectRules: true });
  const { url } = shlink({ links: [gone, shortUrl("a")] });
  const { links, counts } = await readAll(shlinkSource, { url });
  expect([links.length, counts.length]).toEqual([2, 0]);
});
