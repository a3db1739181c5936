import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import { type AskedService, type ImportService, readAll, startImportService } from "#test/support/import-service.ts";
import { TOTAL_LOSS } from "./click-total.ts";
import { dubSource } from "./dub.ts";

setDefaultTimeout(600_000);

let running: ImportService | undefined;
afterEach(() => running?.stop());

const DAY_MS = 86_400_000;
const AN_HOUR_MS = 3_600_000;
const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
const before = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);

// As Dub's API reference describes its answers.
const dubLink = (id: string, over: object = {}) => ({
  ...{ id, domain: "go.example", key: id, url: `https://e.example/${id}`, externalId: null, archived: false },
  ...{ expiresAt: null, expiredUrl: null, disabledAt: null, password: null, proxy: false, title: null },
  ...{
    description: null,
    image: null,
    video: null,
    rewrite: false,
    doIndex: false,
    ios: null,
    android: null,
    geo: null,
  },
  ...{ publicStats: false, tags: [], folderId: null, comments: null, utm_source: null, utm_medium: null },
  ...{ utm_campaign: null, utm_term: null, utm_content: null, testVariants: null, testCompletedAt: null },
  ...{ trackConversion: false, clicks: 0, leads: 0, sales: 0, createdAt: `${before}T00:00:00.000Z` },
  ...over,
});
const click = (linkId: string, timestamp: string, over: object = {}) => ({
  event: "click",
  timestamp,
  click: {
    ...{
      id: "x",
      timestamp,
      url: "https://e.example/?utm_source=mail",
      country: "DE",
      city: "Munich",
      region: "DE-BY",
    },
    ...{ continent: "EU", device: "Mobile", browser: "Mobile Safari", os: "iOS", referer: "t.co", qr: false, ip: "" },
    ...over,
  },
  link: { id: linkId, domain: "go.example", key: linkId },
});
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: `It is ${code}.` } }, { status, headers });

type Folder = { readonly id: string };

function dub(
  all: readonly { readonly id: string; readonly folderId?: string | null }[],
  other: (asked: AskedService) => unknown,
  folders: readonly Folder[] | Response = [],
): ImportService {
  const started = startImportService((asked) => {
    const { path, query, headers } = asked;
    if (headers.get("authorization") !== "Bearer secret-token-5f2a") return refusal(401, "unauthorized");
    if (path === "/folders") {
      const page = Number(query.page);
      return folders instanceof Response ? folders.clone() : folders.slice((page - 1) * 2, page * 2);
    }
    if (path !== "/links") return other(asked);
    // Without a folder, it lists the links that are in none.
    const links = all.filter(({ folderId }) => (folderId ?? undefined) === query.folderId);
    const start = query.startingAfter ? links.findIndex(({ id }) => id === query.startingAfter) + 1 : 0;
    return query.showArchived === "true" ? links.slice(start, start + Number(query.pageSize)) : [];
  });
  running = started;
  return started;
}
const onlyLinks = () => refusal(403, "forbidden");

test("links of all pages keep what links here can have, and say what they can't", async () => {
  const full = dubLink("full", {
    ...{
      externalId: "e1",
      archived: true,
      expiresAt: "2027-01-01T00:00:00.000Z",
      expiredUrl: "https://e.example/over",
    },
    ...{ password: "pw", proxy: true, title: "T", description: "D", image: "https://i.example/x.png" },
    ...{
      rewrite: true,
      ios: "https://e.example/ios",
      android: "https://e.example/android",
      folderId: "f",
      comments: "C",
    },
    geo: {
      DE: "https://e.example/de",
      at: "https://e.example/de",
      FR: "https://e.example/fr",
      XX: "https://e.example/xx",
    },
    tags: [{ id: "t", name: "one", color: "red" }],
    utm_source: "mail",
    testVariants: [
      { url: "https://e.example/a", percentage: 60 },
      { url: "https://e.example/b", percentage: 40 },
    ],
    testCompletedAt: new Date(Date.now() + DAY_MS).toISOString(),
    clicks: 3,
  });
  const others = Array.from({ length: 120 }, (_, index) => dubLink(`l${index}`));
  const paused = dubLink("off", { disabledAt: "2026-01-01T00:00:00.000Z" });
  const { url } = dub([...others, paused, dubLink("root", { key: "_root" }), full], onlyLinks, [{ id: "f" }]);
  const { links, unreadable } = await readAll(dubSource, { url });
  expect(links.length).toBe(122);
  expect(unreadable.map(({ where }) => where)).toEqual(["go.example"]);
  expect(links.at(-2)).toMatchObject({ slug: "off", state: "paused" });
  expect(links.at(-1)).toMatchObject({
    ...{ sourceId: "full", slug: "full", host: "go.example", state: "archived", hadPassword: true },
    fields: {
      ...{
        title: "T",
        tags: ["one"],
        utm: { utm_source: "mail" },
        notes: "C",
        external_id: "e1",
        metadata: { imported_clicks: "3" },
      },
      ...{ expires_at: "2027-01-01T00:00:00.000Z", expired_url: "https://e.example/over" },
      preview: { title: "T", description: "D", image_url: "https://i.example/x.png" },
      rules: [
        { name: "ios", when: { os: ["iOS"] }, destination_url: "https://e.example/ios" },
        { name: "android", when: { os: ["Android"] }, destination_url: "https://e.example/android" },
        { when: { country: ["DE", "AT"] }, destination_url: "https://e.example/de" },
        { when: { country: ["FR"] }, destination_url: "https://e.example/fr" },
        {
          name: "test",
          split: [
            { weight: 60, destination_url: "https://e.example/a" },
            { weight: 40, destination_url: "https://e.example/b" },
          ],
        },
      ],
    },
    losses: [
      "Targeting of an unknown country is left out",
      "Link cloaking isn't possible here: visitors see the destination's address",
      "There are no folders here",
      TOTAL_LOSS,
    ],
  });
});

test("with a plan that has events, clicks are counted with all their dimensions at once", async () => {
  const events = [
    ...Array.from({ length: 1500 }, () => click("a", `${before}T10:20:00.000Z`)),
    click("a", `${yesterday}T10:20:00.000Z`, { qr: true, country: "US" }),
    click("deleted", `${yesterday}T10:20:00.000Z`),
  ];
  const { url, asked } = dub([dubLink("a", { clicks: 1501 })], ({ path, query }) => {
    if (path === "/analytics") return { clicks: events.length };
    const start = (Number(query.page ?? 1) - 1) * Number(query.limit);
    return query.interval ? events.slice(0, 1) : events.slice(start, start + Number(query.limit));
  });
  const { counts } = await readAll(dubSource, { url });
  expect(counts.map(({ sourceId, atMs, clicks }) => [sourceId, new Date(atMs).toISOString(), clicks])).toEqual([
    ["a", `${before}T10:15:00.000Z`, 1500],
    ["a", `${yesterday}T10:15:00.000Z`, 1],
  ]);
  expect(counts[0]?.cuts[0]?.counts[0]?.values).toEqual({
    ...{ utm_source: "mail", country: "DE", region: "DE-BY", city: "Munich", device: "mobile", browser: "Safari" },
    ...{ os: "iOS", referrer: "t.co", source: "link" },
  });
  expect(counts[1]?.cuts[0]?.counts[0]?.values).toMatchObject({ source: "qr", country: "US" });
  expect(asked.filter(({ path, query }) => path === "/events" && query.page).length).toBe(2);
});

test("with a plan that has analytics, days are counted once more by each dimension", async () => {
  const days = (first: number, second: number) => [
    { start: `${before}T00:00:00.000Z`, clicks: first },
    { start: `${yesterday}T00:00:00.000Z`, clicks: second },
    { start: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`, clicks: 0 },
  ];
  const groups: Record<string, unknown[]> = {
    countries: [
      { country: "DE", clicks: 6 },
      { country: "US", clicks: 3 },
    ],
    devices: [{ device: "Desktop", clicks: 10 }],
    referers: [{ referer: "(direct)", clicks: 10 }],
    triggers: [{ trigger: "qr", clicks: 2 }],
  };
  const { url, asked } = dub([dubLink("a", { clicks: 10 })], ({ path, query }) => {
    if (path === "/events") return refusal(403, "forbidden");
    const { groupBy = "", country, trigger } = query;
    if (groupBy === "count") return { clicks: 0 };
    if (groupBy !== "timeseries") return groups[groupBy] ?? [];
    if (country) return country === "DE" ? days(6, 0) : days(1, 2);
    return trigger ? days(0, 2) : days(7, 3);
  });
  const { counts } = await readAll(dubSource, { url });
  expect(counts.map(({ hasHour, clicks, cuts }) => [hasHour, clicks, cuts.map((cut) => cut.counts)])).toEqual([
    [
      false,
      7,
      [
        [
          { values: { country: "DE" }, clicks: 6 },
          { values: { country: "US" }, clicks: 1 },
        ],
        [{ values: { device: "desktop" }, clicks: 7 }],
      ],
    ],
    [
      false,
      3,
      [
        [{ values: { country: "US" }, clicks: 2 }],
        [{ values: { device: "desktop" }, clicks: 3 }],
        [{ values: { source: "qr" }, clicks: 2 }],
      ],
    ],
  ]);
  const stored = counts.flatMap((one) => toClickCounts({ ...one, linkNo: 1, domain: "" }));
  expect(stored.filter(({ cut }) => cut.earlier === 0).reduce((sum, { clicks }) => sum + clicks, 0)).toBe(10);
  // A value of all clicks needs no days of its own, and one without a word none either.
  expect(asked.some(({ query }) => query.device || query.referer)).toBe(false);
});

test("a plan without the analytics API answers with a limit of 0, which isn't waited for", async () => {
  const none = { "X-RateLimit-Limit": "0", "Retry-After": String(Date.now() + 1000) };
  const { url } = dub([dubLink("a", { clicks: 1 })], () => refusal(429, "rate_limit_exceeded", none));
  const { links } = await readAll(dubSource, { url });
  expect(links[0]?.losses).toEqual([TOTAL_LOSS]);
});

test("too many requests are waited for by Dub's own kind of Retry-After, and a wrong token isn't", async () => {
  let isFirst = true;
  const { url, asked } = dub([dubLink("a")], ({ path }) => {
    if (path !== "/events" || !isFirst) return path === "/events" ? [] : { clicks: 0 };
    isFirst = false;
    return refusal(429, "rate_limit_exceeded", { "Retry-After": String(Date.now() + AN_HOUR_MS) });
  });
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  expect((await readAll(dubSource, { url, pause })).links.length).toBe(1);
  const [longest = 0] = pauses.toSorted((a, b) => b - a);
  // In milliseconds since 1970, so the time until the answer arrived is missing.
  expect([longest > AN_HOUR_MS / 2, longest <= AN_HOUR_MS]).toEqual([true, true]);
  expect(asked.filter(({ path }) => path === "/events").length).toBe(2);
  await expect(readAll(dubSource, { url, token: "dub_wrong" })).rejects.toThrow("status 401: It is unauthorized.");
});

test("without clicks, only links are asked for", async () => {
  const { url, asked } = dub([dubLink("a", { clicks: 5 })], onlyLinks);
  const { links } = await readAll(dubSource, { url, withClicks: false });
  expect(links[0]?.losses).toEqual([]);
  expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(["/links", "/folders"]));
});

test("links of all folders are read, on however many pages those are", async () => {
  const folders = Array.from({ length: 3 }, (_, index) => ({ id: `f${index}` }));
  const { url } = dub(
    folders.map(({ id }) => dubLink(`in-${id}`, { folderId: id })),
    onlyLinks,
    folders,
  );
  expect((await readAll(dubSource, { url, withClicks: false })).links.length).toBe(3);
});

test("a key that can't read folders says that their links are missing", async () => {
  const { url } = dub([dubLink("a")], onlyLinks, refusal(403, "forbidden"));
  const { links, unreadable } = await readAll(dubSource, { url });
  expect(links.length).toBe(1);
  expect(unreadable.map(({ where, why }) => [where, why])).toEqual([
    ["folders", "The API key can't read folders, so links in folders are missing. Give it the scope folders.read."],
  ]);
});

test("a version of Dub without folders has all links in none", async () => {
  const { url } = dub([dubLink("a")], onlyLinks, refusal(404, "not_found"));
  const { links, unreadable } = await readAll(dubSource, { url });
  expect([links.length, unreadable.length]).toEqual([1, 0]);
});

test("a page of links that can't be read isn't the last", async () => {
  const broken = Array.from({ length: 100 }, (_, index) => ({ id: `b${index}` }));
  const { url } = dub([...broken, dubLink("a")], onlyLinks);
  const { links, unreadable } = await readAll(dubSource, { url });
  expect([links.length, unreadable.length]).toEqual([1, 100]);
});

test("a page of links that were read before, as they have moved to a folder since, isn't the last", async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `m${index}`);
  const moved = ids.map((id) => dubLink(id, { folderId: "f" }));
  const { url } = dub([...ids.map((id) => dubLink(id)), ...moved, dubLink("a", { folderId: "f" })], onlyLinks, [
    { id: "f" },
  ]);
  expect((await readAll(dubSource, { url })).links.map(({ sourceId }) => sourceId)).toEqual([...ids, "a"]);
});

test("a service that always answers with its first page is asked for one more only", async () => {
  const all = Array.from({ length: 100 }, (_, index) => dubLink(`l${index}`));
  running = startImportService(({ path }) => (path === "/links" ? all : []));
  const { url, asked } = running;
  expect((await readAll(dubSource, { url, withClicks: false })).links.length).toBe(100);
  expect(asked.filter(({ path }) => path === "/links").length).toBe(2);
});

test("no plan is asked about days before Dub, which it refuses, though links can be older", async () => {
  for (const hasEvents of [true, false]) {
    const { url, asked, stop } = dub(
      [dubLink("a", { clicks: 1, createdAt: "2019-01-01T00:00:00.000Z" })],
      ({ path, query }) => {
        if (path === "/events") return hasEvents ? [] : refusal(403, "forbidden");
        if (query.start && query.start < "2022-09-22") return refusal(422, "unprocessable_entity");
        return query.groupBy === "count" ? { clicks: 0 } : [];
      },
    );
    expect((await readAll(dubSource, { url })).links.length).toBe(1);
    const starts = asked.flatMap(({ query }) => query.start ?? []);
    expect(starts.toSorted()[0]).toBe("2022-09-22");
    await stop();
  }
});
