import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ImportService, readAll, startImportService } from "#test/support/import-service.ts";
import { TOTAL_LOSS } from "./click-total.ts";
import { yourlsSource } from "./yourls.ts";

setDefaultTimeout(600_000);

const directory = mkdtempSync(join(tmpdir(), "kurz-yourls-"));
afterAll(() => rmSync(directory, { recursive: true }));
let running: ImportService | undefined;
afterEach(() => running?.stop());

// As YOURLS 1.10.4 answers.
const listed = (keyword: string, over: object = {}) => ({
  shorturl: `http://s.example/${keyword}`,
  url: `https://e.example/${keyword}`,
  title: `Page ${keyword}`,
  timestamp: "2026-11-18 05:48:53",
  ip: "127.0.0.1",
  clicks: 0,
  ...over,
});
type Listed = ReturnType<typeof listed>;

function yourls(all: readonly Listed[], pageOf: (start: number, limit: number) => readonly Listed[]): ImportService {
  const started = startImportService(({ path, form }) => {
    if (path !== "/sub/yourls-api.php") return new Response("no", { status: 404 });
    if (form.signature !== "secret-token-5f2a") {
      return Response.json({ message: "Please log in", errorCode: "403" }, { status: 403 });
    }
    const links = pageOf(Number(form.start), Number(form.limit));
    return {
      ...(links.length > 0 && { links: Object.fromEntries(links.map((link, index) => [`link_${index + 1}`, link])) }),
      stats: { total_links: String(all.length), total_clicks: "10" },
      ...{ statusCode: "200", message: "success" },
    };
  });
  running = started;
  return started;
}

test("the API's links are read without their clicks, which it has no times of", async () => {
  const all = [listed("Abc", { clicks: "3", title: null }), listed("b-1")];
  const { url, asked } = yourls(all, (start) => (start === 0 ? all : []));
  const { links, counts } = await readAll(yourlsSource, { url: `${url}/sub/yourls-api.php` });
  expect(counts).toEqual([]);
  expect(links[0]).toEqual({
    ...{ sourceId: "s.example/Abc", slug: "Abc", host: "s.example", state: "active" },
    fields: {
      ...{ destination_url: "https://e.example/Abc", title: null, redirect_status: 301, forward_query: false },
      metadata: { imported_clicks: "3" },
    },
    ...{ createdAt: Date.UTC(2026, 10, 18, 5, 48, 53), hadPassword: false, usedClicks: 0 },
    losses: [TOTAL_LOSS],
  });
  expect(links[1]).toMatchObject({ fields: { title: "Page b-1", metadata: null }, losses: [] });
  // The signature is in no address, which would be logged.
  expect(asked.map(({ method, query }) => [method, query])).toEqual([["POST", {}]]);
  await expect(readAll(yourlsSource, { url: `${url}/sub`, token: "x" })).rejects.toThrow("403: Please log in");
});

test("links that are missing between two pages are looked for, and said to be missing", async () => {
  const all = Array.from({ length: 6000 }, (_, index) => listed(`k${index}`));
  // Two that the order of one second hides wherever a page ends at 5,000, and one that is never shown.
  const shown = (start: number, limit: number) =>
    all.slice(start, start + limit).filter((_, index) => limit !== 5000 || start === 0 || index > 1);
  const { url } = yourls(all, shown);
  const { links, unreadable } = await readAll(yourlsSource, { url: `${url}/sub` });
  expect(new Set(links.map(({ sourceId }) => sourceId)).size).toBe(6000);
  expect(links.length).toBe(6000);
  expect(unreadable).toEqual([]);
  await running?.stop();
  const never = yourls(all, (start, limit) =>
    all.slice(start, start + limit).filter(({ url: to }) => !to.endsWith("/k7")),
  );
  expect((await readAll(yourlsSource, { url: `${never.url}/sub` })).unreadable).toEqual([
    {
      type: "unreadable",
      where: "API",
      why: "The API lists only 5999 of 6000 links. A dump of the database has them all.",
    },
  ]);
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const dump = `/*M!999999\\- enable the sandbox mode */
-- MariaDB dump 10.19
CREATE TABLE \`my_log\` (
  \`click_id\` int(11) NOT NULL AUTO_INCREMENT,
  \`click_time\` datetime NOT NULL,
  \`shorturl\` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`referrer\` varchar(200) NOT NULL,
  \`user_agent\` varchar(255) NOT NULL,
  \`ip_address\` varchar(41) NOT NULL,
  \`country_code\` char(2) NOT NULL,
  PRIMARY KEY (\`click_id\`)
) ENGINE=InnoDB;
INSERT INTO \`my_log\` VALUES
(1,'2026-11-18 05:49:00','Abc','direct','${FIREFOX}','127.0.0.1','FR'),
(2,'2026-11-18 05:49:10','Abc','https://www.news.example/a?b=c','${FIREFOX}','127.0.0.1',''),
(3,'2026-11-18 05:50:00','Abc','https://Blog.example/o\\'brien','curl/8.5.0','127.0.0.1','BR'),
(4,'2026-11-18 06:00:00','gone','direct','${FIREFOX}','127.0.0.1','FR');
CREATE TABLE \`my_url\` (
  \`keyword\` varchar(100) NOT NULL DEFAULT '',
  \`url\` text NOT NULL,
  \`title\` text DEFAULT NULL,
  \`timestamp\` timestamp NOT NULL DEFAULT current_timestamp(),
  \`ip\` varchar(41) NOT NULL,
  \`clicks\` int(10) unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`)
) ENGINE=InnoDB;
INSERT INTO \`my_url\` VALUES
('Abc','https://e.example/?a=1&b=2#frag','Plain','2026-11-18 05:48:53','127.0.0.1',3),
('old','https://e.example/old',NULL,'2020-01-01 00:00:00','127.0.0.1',7);
`;

test("a dump has the clicks, too, with country, browser and referrer at once", async () => {
  const file = join(directory, "dump.sql");
  writeFileSync(file, dump);
  const { links, counts } = await readAll(yourlsSource, { url: "https://s.example/", file, timeZone: "Europe/Berlin" });
  expect(links.map(({ sourceId, losses }) => [sourceId, losses])).toEqual([
    ["s.example/Abc", []],
    ["s.example/old", [TOTAL_LOSS]],
  ]);
  expect(links[0]?.createdAt).toBe(Date.UTC(2026, 10, 18, 4, 48, 53));
  const dimensions = ["country", "device", "browser", "os", "referrer"];
  const known = { device: "desktop", browser: "Firefox", os: "Linux" };
  const moment = { sourceId: "s.example/Abc", atMs: Date.UTC(2026, 10, 18, 4, 45), hasHour: true } as const;
  expect(counts as unknown[]).toEqual([
    {
      ...{ ...moment, bot: false, clicks: 2 },
      cuts: [
        {
          dimensions,
          counts: [
            { values: { ...known, country: "FR" }, clicks: 1 },
            { values: { ...known, referrer: "www.news.example" }, clicks: 1 },
          ],
        },
      ],
    },
    {
      ...{ ...moment, bot: true, clicks: 1 },
      cuts: [
        { dimensions, counts: [{ values: { device: "other", country: "BR", referrer: "blog.example" }, clicks: 1 }] },
      ],
    },
  ]);
  const later = await readAll(yourlsSource, { url: "", file, countsFrom: Date.UTC(2026, 10, 18, 6) });
  expect([later.links[0]?.host, later.counts]).toEqual(["", []]);
});

test("a file of something else is refused", async () => {
  const file = join(directory, "other.sql");
  writeFileSync(file, "CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);\n");
  await expect(readAll(yourlsSource, { file })).rejects.toThrow("no links of YOURLS");
});

test("a keyword that no browser could ask for doesn't end the reading", async () => {
  const all = [listed("50%"), listed("b")];
  const { url } = yourls(all, (start) => (start === 0 ? all : []));
  const { links } = await readAll(yourlsSource, { url: `${url}/sub` });
  expect(links.map(({ slug }) => slug)).toEqual(["50%", "b"]);
});

test("without clicks, a dump has no totals either", async () => {
  const file = join(directory, "dump.sql");
  writeFileSync(file, dump);
  const { links } = await readAll(yourlsSource, { url: "https://s.example/", file, withClicks: false });
  expect(links[1]).toMatchObject({ fields: { metadata: null }, losses: [] });
});
