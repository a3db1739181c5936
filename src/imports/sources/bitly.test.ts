import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { type AskedService, type ImportService, readAll, startImportService } from "#test/support/import-service.ts";
import { bitlySource } from "./bitly.ts";

setDefaultTimeout(600_000);

let running: ImportService | undefined;
afterEach(() => running?.stop());

// As Bitly's API reference describes its answers.
const bitlink = (id: string, over: object = {}) => ({
  ...{ id, link: `https://${id}`, long_url: `https://e.example/${id}`, title: null, archived: false, tags: [] },
  ...{ created_at: "2026-01-02T03:04:05+0000", custom_bitlinks: [], deeplinks: [], references: {} },
  ...over,
});

function bitly(groups: Record<string, readonly object[]>, other: (asked: AskedService) => unknown): ImportService {
  const started = startImportService((asked) => {
    const { path, query, headers } = asked;
    if (headers.get("authorization") !== "Bearer secret-token-5f2a") {
      return Response.json({ message: "FORBIDDEN" }, { status: 403 });
    }
    if (path === "/v4/groups") return { groups: Object.keys(groups).map((guid) => ({ guid, name: guid })) };
    const links = groups[/^\/v4\/groups\/(\w+)\/bitlinks$/.exec(path)?.[1] ?? ""];
    if (!links) return other(asked);
    const start = Number(query.search_after ?? 0);
    const end = start + 2;
    const next = end < links.length ? `https://api-ssl.bitly.com/v4/next?search_after=${end}` : "";
    return { links: links.slice(start, end), pagination: { next, search_after: String(end), size: 2 } };
  });
  running = started;
  return started;
}

test("links of all groups and pages are read, each custom back-half as a link of its own", async () => {
  const first = bitlink("bit.ly/abc", {
    ...{ title: "T", archived: true, tags: ["one"], deeplinks: [{}], campaign_ids: ["c"] },
    custom_bitlinks: ["https://go.example/Sale", "https://bit.ly/abc"],
  });
  const groups = { g1: [first, bitlink("bit.ly/b"), bitlink("bit.ly/c")], g2: [bitlink("bit.ly/b"), { id: 1 }] };
  const { url, asked } = bitly(groups, () => ({ link_clicks: [], unit: "day", units: -1 }));
  const { links, unreadable } = await readAll(bitlySource, { url });
  expect(links.map(({ sourceId }) => sourceId)).toEqual(["bit.ly/abc", "go.example/Sale", "bit.ly/b", "bit.ly/c"]);
  expect(links[1]).toEqual({
    ...{ sourceId: "go.example/Sale", slug: "Sale", host: "go.example", state: "archived", hadPassword: false },
    fields: { destination_url: "https://e.example/bit.ly/abc", title: "T", tags: ["one"] },
    ...{
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      usedClicks: 0,
      losses: ["Links into apps aren't carried over", "Campaigns aren't carried over"],
    },
  });
  expect(unreadable.length).toBe(1);
  expect(asked.find(({ path }) => path.endsWith("/bitlinks"))?.query).toEqual({ size: "100", archived: "both" });
});

test("clicks are counted by day, and those of the busiest days by country and by referrer", async () => {
  const days = Array.from({ length: 12 }, (_, index) => ({
    date: `2026-01-${String(index + 1).padStart(2, "0")}T00:00:00+0000`,
    clicks: index,
  }));
  const { url, asked } = bitly({ g: [bitlink("bit.ly/abc")] }, ({ path, query }) => {
    if (path === "/v4/bitlinks/bit.ly/abc/clicks") return { link_clicks: days, unit: "day", units: -1 };
    const isCountry = path === "/v4/bitlinks/bit.ly/abc/countries";
    // A facet of more clicks than the day had is of another time, and isn't used.
    const clicks = query.unit_reference === "2026-01-12T23:59:59+0000" && isCountry ? 99 : 2;
    return {
      metrics: [
        { value: isCountry ? "DE" : "t.co", clicks },
        { value: "none", clicks: 0 },
      ],
      facet: "x",
    };
  });
  const { counts } = await readAll(bitlySource, { url });
  expect(counts.map(({ clicks, hasHour }) => [clicks, hasHour])).toEqual(
    Array.from({ length: 11 }, (_, index) => [index + 1, false]),
  );
  expect(new Date(counts[0]?.atMs ?? 0).toISOString()).toBe("2026-01-02T11:00:00.000Z");
  expect(counts[0]?.cuts).toEqual([]);
  expect(counts[1]?.cuts).toEqual([
    { dimensions: ["country"], counts: [{ values: { country: "DE" }, clicks: 2 }] },
    { dimensions: ["referrer"], counts: [{ values: { referrer: "t.co" }, clicks: 2 }] },
  ]);
  expect(counts[10]?.cuts.map(({ dimensions }) => dimensions)).toEqual([["referrer"]]);
  expect(asked.filter(({ query }) => query.unit_reference).length).toBe(20);
});

test("what the plan doesn't have is asked for once, and said to be lost", async () => {
  const upgrade = () => Response.json({ message: "UPGRADE_REQUIRED" }, { status: 402 });
  const facets = bitly({ g: [bitlink("bit.ly/a"), bitlink("bit.ly/b")] }, ({ path }) =>
    path.endsWith("/clicks") ? { link_clicks: [{ date: "2026-01-02T00:00:00+0000", clicks: 3 }] } : upgrade(),
  );
  const { counts } = await readAll(bitlySource, { url: facets.url });
  expect(counts.map(({ clicks, cuts }) => [clicks, cuts])).toEqual(Array(2).fill([3, []]));
  expect(facets.asked.filter(({ query }) => query.unit_reference).length).toBe(2);
  await facets.stop();
  const { url, asked } = bitly({ g: [bitlink("bit.ly/a"), bitlink("bit.ly/b")] }, upgrade);
  const { links } = await readAll(bitlySource, { url });
  expect(links.map(({ losses }) => losses)).toEqual(
    Array(2).fill(["Clicks aren't carried over: your Bitly plan doesn't have them in its API"]),
  );
  expect(asked.filter(({ path }) => path.endsWith("/clicks")).length).toBe(1);
});

test("Bitly's own sign of too many requests is waited for", async () => {
  let count = 0;
  const { url } = bitly({ g: [bitlink("bit.ly/a")] }, () => {
    count += 1;
    const headers = { "X-Ratelimit-Reason": "minute" };
    return count === 1 ? Response.json({ message: "LIMIT" }, { status: 403, headers }) : { link_clicks: [] };
  });
  const { links } = await readAll(bitlySource, { url });
  expect(links[0]?.losses).toEqual([]);
  await expect(readAll(bitlySource, { url, token: "wrong" })).rejects.toThrow(
    "Bitly answered with status 403: FORBIDDEN",
  );
});

test("lists may be missing, and a page that leads to itself is the last", async () => {
  const link = { ...bitlink("bit.ly/abc"), tags: null, custom_bitlinks: null, deeplinks: null };
  const again = { next: "https://api-ssl.bitly.com/v4/again", search_after: "x" };
  const { url, asked } = bitly({ "-": [] }, ({ path }) =>
    path.endsWith("/bitlinks") ? { links: [link], pagination: again } : { link_clicks: [] },
  );
  const { links, unreadable } = await readAll(bitlySource, { url });
  expect([links.length, unreadable]).toEqual([1, []]);
  expect(asked.filter(({ path }) => path.endsWith("/bitlinks")).length).toBe(2);
});
