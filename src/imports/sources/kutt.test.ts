import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import { dayOf } from "#engines/clicks/slots.ts";
import { type ImportService, readAll, startImportService } from "#test/support/import-service.ts";
import { TOTAL_LOSS } from "./click-total.ts";
import { kuttSource } from "./kutt.ts";

setDefaultTimeout(600_000);

const directory = mkdtempSync(join(tmpdir(), "kurz-kutt-"));
afterAll(() => rmSync(directory, { recursive: true }));
let running: ImportService | undefined;
afterEach(() => running?.stop());

// As Kutt 3.2.3 answers.
const listed = (address: string, over: object = {}) => ({
  ...{ id: `uuid-${address}`, address, banned: false, created_at: "2026-11-18T05:48:55.906Z", password: false },
  ...{ updated_at: "2026-11-18T05:48:55.906Z", description: null, expire_in: null, visit_count: 0, domain: null },
  ...{ target: `https://e.example/${address}`, link: `https://kutt.example/${address}` },
  ...over,
});

function kutt(links: readonly object[], views: readonly number[] | null): ImportService {
  const started = startImportService(({ path, query, headers }) => {
    if (headers.get("x-api-key") !== "secret-token-5f2a") {
      return Response.json({ error: "Unauthorized." }, { status: 401 });
    }
    if (path.endsWith("/stats") && !views) return Response.json({ error: "Link could not be found." }, { status: 404 });
    if (path.endsWith("/stats")) return { lastMonth: { stats: {}, views, total: 0 }, updatedAt: "now" };
    const [limit, skip] = [Number(query.limit), Number(query.skip)];
    return { total: links.length, limit, skip, data: links.slice(skip, skip + limit) };
  });
  running = started;
  return started;
}

test("the API's links are read with the clicks of the last 30 days", async () => {
  const first = listed("a_b", {
    ...{ description: "Two\nlines", expire_in: "2027-01-01T00:00:00.000Z", visit_count: 12, password: true },
    ...{ link: "http://go.example/a_b", domain: "go.example" },
  });
  const others = Array.from({ length: 60 }, (_, index) => listed(`k${index}`, { banned: index === 0 }));
  const { url, asked } = kutt([first, ...others, { id: 1 }], [...Array(27).fill(0), 2, 0, 7]);
  const start = Date.now();
  const { links, counts, unreadable } = await readAll(kuttSource, { url: `${url}/api/v2` });
  expect([links.length, unreadable.length]).toEqual([61, 1]);
  expect(links[0]).toEqual({
    ...{ sourceId: "uuid-a_b", slug: "a_b", host: "go.example", state: "active" },
    fields: {
      ...{ destination_url: "https://e.example/a_b", title: null, notes: "Two\nlines", forward_query: false },
      expires_at: "2027-01-01T00:00:00.000Z",
      metadata: { imported_clicks: "3" },
    },
    ...{ createdAt: Date.parse("2026-11-18T05:48:55.906Z"), hadPassword: true, usedClicks: 0 },
    losses: [TOTAL_LOSS],
  });
  expect(links[1]).toMatchObject({ state: "paused", losses: ["Kutt's operator has banned the link: it is paused"] });
  expect(counts.map(({ where, clicks, hasHour, cuts }) => [where, clicks, hasHour, cuts])).toEqual([
    ["go.example/a_b", 2, false, []],
    ["go.example/a_b", 7, false, []],
  ]);
  const days = counts.map(({ atMs }) => dayOf(atMs));
  expect((days[1] ?? 0) - (days[0] ?? 0)).toBe(2);
  expect([0, 1]).toContain(dayOf(start) - (days[1] ?? 0));
  // Only links with clicks are asked for statistics.
  expect(asked.filter(({ path }) => path.endsWith("/stats")).length).toBe(1);
  await expect(readAll(kuttSource, { url, token: "x" })).rejects.toThrow(
    "Kutt answered with status 401: Unauthorized.",
  );
});

test("a percent sign that encodes nothing is itself, as where Kutt redirects to", async () => {
  const { url } = kutt([listed("a", { target: "https://e.example/100%?b=%zz&c=%C3%A4%2" })], null);
  const { links } = await readAll(kuttSource, { url });
  expect(links[0]?.fields.destination_url).toBe("https://e.example/100%25?b=%25zz&c=%C3%A4%252");
});

test("a link that expires while others are read doesn't end the reading", async () => {
  const { url } = kutt([listed("gone", { visit_count: 2 }), listed("a")], null);
  const { links, counts } = await readAll(kuttSource, { url });
  expect([links.length, counts.length]).toEqual([2, 0]);
});

const columns =
  "id, countries, created_at, updated_at, link_id, user_id, referrers, total, br_chrome, br_edge, br_firefox, br_ie, " +
  "br_opera, br_other, br_safari, os_android, os_ios, os_linux, os_macos, os_other, os_windows";
const dump = `-- PostgreSQL database dump
COPY public.domains (id, banned, address, homepage, user_id) FROM stdin;
4\tf\tgo.example\t\\N\t1
\\.
COPY public.links (id, address, description, banned, domain_id, password, expire_in, target, visit_count, uuid, created_at) FROM stdin;
1\tplain\tPlain \\\\ one\tf\t\\N\t\\N\t\\N\thttps://e.example/?a=1&b=2#frag\t6\tuuid-1\t2026-11-18 05:48:54.017711+00
3\tlocked\t\\N\tt\t4\t$2a$12$x\t2027-01-01 00:00:00+00\thttps://e.example/secret\t0\tuuid-3\t2026-11-18 05:48:55+00
\\.
COPY public.visits (${columns}) FROM stdin;
7\t{"de": 1, "us": 2, "unknown": 1}\t2026-11-18 05:49:47.052992+00\t\\N\t1\t1\t{"direct": 2, "t[dot]co": 1, "com[dot]slack": 1}\t4\t1\t0\t0\t1\t0\t0\t2\t2\t1\t0\t1\t0\t0
8\t{}\t2026-11-17 04:00:00+00\t\\N\t1\t1\t{}\t1\t0\t0\t0\t0\t0\t1\t0\t0\t0\t0\t0\t1\t0
9\t{}\t2026-11-17 04:00:00+00\t\\N\t99\t1\t{}\t1\t0\t0\t0\t0\t0\t1\t0\t0\t0\t0\t0\t1\t0
\\.
`;

test("a dump has clicks of all time by hour, counted by country, referrer, browser and system", async () => {
  const file = join(directory, "kutt.sql");
  writeFileSync(file, dump);
  const { links, counts } = await readAll(kuttSource, { url: "https://kutt.example", file });
  expect(
    links.map(({ slug, host, state, hadPassword, fields, losses }) => [
      slug,
      host,
      state,
      hadPassword,
      fields.title,
      losses,
    ]),
  ).toEqual([
    ["plain", "kutt.example", "active", false, "Plain \\ one", [TOTAL_LOSS]],
    ["locked", "go.example", "paused", true, null, ["Kutt's operator has banned the link: it is paused"]],
  ]);
  expect(links[1]?.fields.expires_at).toBe("2027-01-01T00:00:00.000Z");
  const counted = counts.map(({ sourceId, where, atMs, clicks }) => [
    ...[sourceId, where, new Date(atMs).toISOString(), clicks],
  ]);
  expect(counted).toEqual([
    ["uuid-1", "kutt.example/plain", "2026-11-18T05:00:00.000Z", 4],
    ["uuid-1", "kutt.example/plain", "2026-11-17T04:00:00.000Z", 1],
  ]);
  expect(
    counts[0]?.cuts.map((cut) => cut.counts.map(({ values, clicks }) => [Object.values(values)[0], clicks])),
  ).toEqual([
    [
      ["DE", 1],
      ["US", 2],
    ],
    [
      ["t.co", 1],
      ["com.slack", 1],
    ],
    [
      ["Chrome", 1],
      ["Internet Explorer", 1],
      ["Safari", 2],
    ],
    [
      ["Android", 2],
      ["iOS", 1],
      ["macOS", 1],
    ],
  ]);
  // What it doesn't name is the unknown rest of each cut, so all of them have the same sum.
  const stored = counts.slice(0, 1).flatMap((one) => toClickCounts({ ...one, linkNo: 1, domain: "" }));
  const sums = Map.groupBy(stored, ({ cut }) => cut.known);
  expect(Array.from(sums.values(), (rows) => rows.reduce((sum, { clicks }) => sum + clicks, 0))).toEqual([4, 4, 4, 4]);
});

test("without clicks, a dump has no totals either", async () => {
  const file = join(directory, "kutt.sql");
  writeFileSync(file, dump);
  const { links } = await readAll(kuttSource, { url: "https://kutt.example", file, withClicks: false });
  expect(links[0]).toMatchObject({ fields: { metadata: null }, losses: [] });
});

test("a file can't fill the memory with domains", async () => {
  const file = join(directory, "domains.sql");
  const rows = Array.from({ length: 100_001 }, (_, id) => `${id}\td${id}.example\n`).join("");
  writeFileSync(file, `COPY public.domains (id, address) FROM stdin;\n${rows}\\.\n`);
  await expect(readAll(kuttSource, { url: "https://kutt.example", file })).rejects.toThrow("more domains");
});
