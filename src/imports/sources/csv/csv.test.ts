import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Link } from "#contract/link-record.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import { toCsv } from "#kernel/csv.ts";
import { linkCsvHead, linkCsvRows } from "#links/link-csv.ts";
import type { ImportItem, ReadContext } from "../../import-source.ts";
import { csv } from "./csv.ts";
import { readDate } from "./csv-dates.ts";
import { previewCounts, previewCsv } from "./csv-preview.ts";
import { readRows } from "./csv-rows.ts";
import { ROW_BYTES_MAX } from "./record-splitter.ts";

setDefaultTimeout(600_000);

const directory = mkdtempSync(join(tmpdir(), "kurz-csv-"));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
const fileOf = (content: string | Uint8Array): string => {
  const path = join(directory, `${++files}.csv`);
  writeFileSync(path, content);
  return path;
};

const contextOf = (given: Partial<ReadContext>): ReadContext => ({
  client: null as unknown as OutboundClient,
  signal: new AbortController().signal,
  ...{ url: "", token: "", file: null, countsFile: null, columns: {}, withClicks: true, countsFrom: null },
  timeZone: "UTC",
  ...given,
});

const readAll = async (given: Partial<ReadContext>): Promise<ImportItem[]> =>
  Array.fromAsync(csv.read(contextOf(given)));
const readFile = (content: string | Uint8Array, given: Partial<ReadContext> = {}) =>
  readAll({ file: fileOf(content), ...given });

const linkOf = (item: ImportItem | undefined) => {
  if (item?.type !== "link") throw new Error(`not a link: ${JSON.stringify(item)}`);
  return item.link;
};
const problemOf = (item: ImportItem | undefined) =>
  item?.type === "unreadable" ? `${item.where}: ${item.why}` : `not a problem: ${JSON.stringify(item)}`;

test("columns of other services are recognized by their names", async () => {
  const yourls =
    "keyword,url,title,timestamp,ip,clicks\nabc,https://example.com/,Home,2020-01-02 03:04:05,1.2.3.4,17\n";
  const [first] = await readFile(yourls);
  expect(linkOf(first)).toMatchObject({
    sourceId: expect.stringMatching(/^\/abc [0-9a-f]{12}$/),
    slug: "abc",
    fields: { destination_url: "https://example.com/", title: "Home", metadata: { imported_clicks: "17" } },
    createdAt: Date.UTC(2020, 0, 2, 3, 4, 5),
  });
  const bitly = "\uFEFFlink;long_url;tags;archived\r\nhttps://bit.ly/3xYz;https://example.com/a;a, b;true\r\n";
  const [second] = await readFile(bitly);
  expect(linkOf(second)).toMatchObject({
    sourceId: expect.stringMatching(/^bit\.ly\/3xYz [0-9a-f]{12}$/),
    host: "bit.ly",
    slug: "3xYz",
    state: "archived",
    fields: { tags: ["a", "b"] },
  });
});

test("a person decides which column has which field", async () => {
  const file = fileOf("A,B,C\nx,https://example.com/,https://other.example/\n");
  expect((await previewCsv(file, {})).problem).toContain("No column looks like the destination");
  const columns = { destination_url: "c", slug: "A" };
  expect(linkOf((await readAll({ file, columns }))[0])).toMatchObject({
    slug: "x",
    fields: { destination_url: "https://other.example/" },
  });
  expect(await previewCsv(file, columns)).toMatchObject({
    columns: ["A", "B", "C"],
    rows: [["x", "https://example.com/", "https://other.example/"]],
    mapping: { destination_url: "C", slug: "A" },
    problem: null,
  });
  // What is known is shown, also while the destination is missing.
  expect(await previewCsv(fileOf("Keyword,Headline\nx,y\n"), { title: "Headline" })).toMatchObject({
    mapping: { slug: "Keyword", title: "Headline" },
    problem: expect.stringContaining("No column looks like the destination"),
  });
  await expect(readAll({ file, columns: { slugg: "A" } })).rejects.toThrow("Do you mean slug?");
  await expect(readAll({ file, columns: { slug: "D" } })).rejects.toThrow('There is no column "D"');
});

test("a file with clicks is checked before it is imported", async () => {
  expect(await previewCounts(fileOf("slug,date,clicks\na,2024-02-29,5\n"))).toMatchObject({
    mapping: { slug: "slug", date: "date", clicks: "clicks" },
    problem: null,
  });
  expect((await previewCounts(fileOf("slug,clicks\na,5\n"))).problem).toContain('needs a column "date"');
  expect((await previewCounts(fileOf("date,clicks\n2024-02-29,5\n"))).problem).toContain('"slug" or "short_url"');
});

test("clicks by day and dimension come from a second file", async () => {
  const file = fileOf("short_url,url\nhttps://s.example/a,https://example.com/\n");
  const countsFile = fileOf(
    "slug,date,clicks,country,referrer\na,2024-02-29,5,de,https://t.co/x\na,2024-02-30,5,de,\na,2024-03-01T10:20:00Z,0,,\n" +
      "a,2024-03-01T10:20:00Z,2,,\n",
  );
  const [first, ...items] = await readAll({ file, countsFile });
  const { sourceId } = linkOf(first);
  expect(items).toEqual([
    {
      type: "counts",
      counts: {
        ...{ sourceId, where: "s.example/a" },
        atMs: Date.UTC(2024, 1, 29, 11),
        ...{ hasHour: false, bot: false, clicks: 5 },
        cuts: [
          { dimensions: ["country", "referrer"], counts: [{ values: { country: "DE", referrer: "t.co" }, clicks: 5 }] },
        ],
      },
    },
    {
      ...{ type: "unreadable", line: "3 of the clicks", where: "line 3 of the clicks" },
      why: 'date isn\'t a date such as 2026-01-31: "2024-02-30".',
    },
    {
      type: "counts",
      counts: {
        ...{ sourceId, where: "s.example/a", atMs: Date.UTC(2024, 2, 1, 10, 15), hasHour: true, bot: false, clicks: 2 },
        cuts: [],
      },
    },
  ]);
});

test("clicks find their link in another case of the slug, if there is only one", async () => {
  const file = fileOf(
    "slug,url\nPromo2,https://example.com/1\nabc,https://example.com/2\nABC,https://example.com/3\nsMall,https://example.com/4\n" +
      "smaLL,https://example.com/5\nlow,https://example.com/6\n",
  );
  const slugs = ["promo2", "PROMO2", "ABC", "abc", "Abc", "SMALL", "smaLL", "LOW", "none"];
  const countsFile = fileOf(`slug,date,clicks\n${slugs.map((slug) => `${slug},2024-05-03,1\n`).join("")}`);
  const items = await readAll({ file, countsFile });
  const slugOf = new Map(
    items.flatMap((item) => (item.type === "link" ? [[item.link.sourceId, item.link.slug] as const] : [])),
  );
  const found = items.flatMap((item) => (item.type === "counts" ? [slugOf.get(item.counts.sourceId) ?? null] : []));
  expect(found).toEqual(["Promo2", "Promo2", "ABC", "abc", null, null, "smaLL", "low", null]);
});

test("rows without a domain aren't another one", async () => {
  const file = fileOf(
    "Short Link,Long URL\nhttps://old.example/m1,https://example.com/1\n,https://example.com/2\nm3,https://example.com/3\n" +
      "https://new.example/,https://example.com/4\n",
  );
  const countsFile = fileOf("slug,date,clicks\nm1,2024-05-01,1\nm3,2024-05-01,1\n");
  const items = await readAll({ file, countsFile });
  const links = items.slice(0, 4).map(linkOf);
  expect(links.map(({ host, slug }) => `${host}/${slug}`)).toEqual(["old.example/m1", "/", "/m3", "new.example/"]);
  expect(items.slice(4).map((item) => (item.type === "counts" ? item.counts.sourceId : item))).toEqual(
    [links[0], links[2]].map((link) => link?.sourceId ?? ""),
  );
  const several = fileOf(
    "Short Link,Long URL\nhttps://a.example/1,https://example.com/\nb.example/2,https://example.com/\n",
  );
  await expect(readAll({ file: several, countsFile })).rejects.toThrow("on several domains");
});

test("a total of clicks that can't be read is left out, and the link kept", async () => {
  const rows = ["5,", '"1,234",', "1.234,", "-5,", "many,10"].map((cells) => `https://example.com/,${cells}\n`);
  const items = await readFile(`url,clicks,max_clicks\n${rows.join("")}`);
  const left = "A total of clicks that isn't a whole number is left out";
  const kept = items.slice(0, 4).map(linkOf);
  expect(kept.map(({ fields }) => fields.metadata?.imported_clicks)).toEqual(["5", "1234", undefined, undefined]);
  expect(kept.map(({ losses }) => losses.includes(left))).toEqual([false, false, true, true]);
  expect(problemOf(items[4])).toBe('line 6: clicks isn\'t a whole number: "many".');
});

test("thousands may be set apart in both files", async () => {
  const file = fileOf("slug,url\na,https://example.com/\n");
  const countsFile = fileOf('slug,date,clicks\na,2024-05-01,"1,000"\na,2024-05-01,2 000\na,2024-05-01,1.000\n');
  const [, ...items] = await readAll({ file, countsFile });
  expect(items.map((item) => (item.type === "counts" ? item.counts.clicks : problemOf(item)))).toEqual([
    1000,
    2000,
    'line 4 of the clicks: clicks isn\'t a whole number: "1.000".',
  ]);
});

test("values of clicks are what reports call them, or are listed", async () => {
  const file = fileOf("slug,url\na,https://example.com/\n");
  const rows = [
    ["phone", "Netscape", "BeOS", ""],
    ["Mobile", "firefox", "android", "No"],
    ["Phablet", "", "", "maybe"],
    ["phone", "", "", "YES"],
  ].map((cells) => `a,2024-05-02,1,${cells.join()}\n`);
  const countsFile = fileOf(`slug,date,clicks,device,browser,os,bot\n${rows.join("")}`);
  const [, ...items] = await readAll({ file, countsFile });
  const counted = items.flatMap((item) => (item.type === "counts" ? [item.counts] : []));
  expect(counted.map(({ cuts }) => cuts[0]?.counts[0]?.values)).toEqual([
    { device: "", browser: "Netscape", os: "BeOS" },
    { device: "mobile", browser: "Firefox", os: "Android" },
    { device: "" },
    { device: "" },
  ]);
  expect(counted.map(({ bot }) => bot)).toEqual([false, false, false, true]);
  expect(items.flatMap((item) => (item.type === "note" ? [`${item.line}: ${item.what}`] : []))).toEqual([
    '2 of the clicks: device "phone" isn\'t desktop, mobile, tablet or other: 2 rows count as unknown.',
    '4 of the clicks: device "Phablet" isn\'t desktop, mobile, tablet or other: 1 row counts as unknown.',
    '4 of the clicks: bot "maybe" isn\'t true or false: 1 row counts as clicks by people.',
  ]);
});

test("tags of our own export are the same again", async () => {
  const tags = ["a, b", "x;y", "p|q"];
  const empty = Object.fromEntries(
    linkCsvHead()
      .trimEnd()
      .split(",")
      .map((name) => [name, null]),
  );
  const link = { ...empty, destination_url: "https://example.com/", tags, utm: {}, metadata: {}, rules: [] };
  const [own] = await readFile(linkCsvHead() + linkCsvRows([link as unknown as Link]));
  expect(linkOf(own).fields.tags).toEqual(tags);
  const [other] = await readFile('url,tags\nhttps://example.com/,"a, b;c | d"\n');
  expect(linkOf(other).fields.tags).toEqual(["a", "b", "c", "d"]);
});

test("a link whose state isn't known is paused, and that is listed", async () => {
  const unknown = (field: string) => `${field} has a value that isn't known, so the link is paused`;
  const states: readonly (readonly [row: string, state: string, losses: readonly string[]])[] = [
    ...["active,,", "Enabled,,", "1,no,0", ",,", "NULL,null,"].map((row) => [row, "active", []] as const),
    ...["PAUSED,,", "disabled,,", "Expired,,", "0,,", ",,yes"].map((row) => [row, "paused", []] as const),
    ...["archived,,", "deleted,,", "active,true,", "frozen,1,"].map((row) => [row, "archived", []] as const),
    ["frozen,,", "paused", [unknown("state")]],
    ["active,x,", "paused", [unknown("archived")]],
    [",,since May", "paused", [unknown("paused")]],
  ];
  const items = await readFile(
    `url,status,archived,paused\n${states.map(([row]) => `https://example.com/,${row}\n`).join("")}`,
  );
  expect(items.map((item, index) => [states[index]?.[0], linkOf(item).state, linkOf(item).losses])).toEqual(
    states.map((state) => [...state]),
  );
});

test("a creation time in the future is listed", async () => {
  const [past, future] = await readFile("url,created\nhttps://a.example/,2024-01-31\nhttps://b.example/,9000-01-31\n");
  expect(linkOf(past).losses).toEqual([]);
  expect(linkOf(future).losses).toEqual(["A creation time in the future becomes the time of the import"]);
});

test("a bad row is named with its line, and the others are read", async () => {
  const broken = Buffer.concat([
    Buffer.from("slug,url\na,https://example.com/a\nb,"),
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from('\nc,https://example.com/\0\nd,"https://example.com/d\ne,https://example.com/e\n'),
    Buffer.from('f,"https://example.com/f"x\n"g\nh",https://example.com/g\ni,\n\n,,\nj,https://example.com/j'),
  ]);
  const items = await readFile(broken);
  expect(items.map((item) => (item.type === "link" ? item.link.slug : problemOf(item)))).toEqual([
    "a",
    "line 3: The row isn't UTF-8 text.",
    "line 4: The row contains a NUL character.",
    "line 5: A quote isn't closed.",
    "e",
    "line 7: A quote is in the wrong place.",
    "g\nh",
    "line 10: The row has no destination.",
    "j",
  ]);
});

test("UTF-16 is read by its mark", async () => {
  const text = "slug\turl\tTitel\nä\thttps://example.com/\tÜber\n";
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  expect(linkOf((await readFile(little))[0]).slug).toBe("ä");
  expect(
    linkOf((await readFile(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()])))[0]).slug,
  ).toBe("ä");
});

test("rows of any length, and rows with any number of cells, take little memory", async () => {
  const good = new TextEncoder().encode("ok,https://example.com/\n");
  async function* hostile(): AsyncGenerator<Uint8Array> {
    yield good;
    const commas = new Uint8Array(1 << 20).fill(0x2c);
    for (let i = 0; i < 200; i += 1) yield commas;
    yield new TextEncoder().encode("\n");
    yield good;
    yield new TextEncoder().encode('"');
    const letters = new Uint8Array(1 << 20).fill(0x61);
    for (let i = 0; i < 200; i += 1) yield letters;
    yield new TextEncoder().encode("\n");
    yield good;
    yield new Uint8Array(ROW_BYTES_MAX - 10).fill(0x2c);
    yield new TextEncoder().encode("\n");
  }
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let most = 0;
  const rows = [];
  for await (const some of readRows(hostile(), ",")) {
    rows.push(...some.map((row) => ("problem" in row ? `${row.line}: ${row.problem}` : row.line)));
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  expect(rows).toEqual([
    ...[1, "2: The row is longer than 256 KB.", 3, "4: A quote isn't closed.", 5],
    "6: The row has more than 500 cells.",
  ]);
  expect(most).toBeLessThan(100 << 20);
});

test("a file full of broken quotes is refused instead of read again and again", async () => {
  await expect(readFile(`slug,url\n${'"a,b\n\n'.repeat(300_000)}`)).rejects.toThrow("quote");
});

test("any table is read as it was written, however it is cut into chunks", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r\n", " ", "é", "𝄞"), maxLength: 8 });
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async (rows, size) => {
      const bytes = new TextEncoder().encode(toCsv(rows));
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      const read = (await Array.fromAsync(readRows(chunks(), ","))).flat();
      const written = rows.map((row) => row.map(plain)).filter((row) => row.some((text) => text.trim() !== ""));
      expect(read.map((row) => ("cells" in row ? [...row.cells] : row))).toEqual(written);
    }),
    { numRuns: 300 },
  );
});

/** `toCsv` marks a break at the start, which a spreadsheet might take for a formula. */
const plain = (text: string): string => text.replace(/^[\t\r\n]/, "'$&");

test("dates are read if they can't mean two things", () => {
  const read = (text: string, zone = "UTC") => readDate(text, zone)?.ms ?? null;
  expect(read("2024-01-31")).toBe(Date.UTC(2024, 0, 31));
  expect(read("2024-01-31 10:00", "Europe/Berlin")).toBe(Date.UTC(2024, 0, 31, 9));
  expect(read("2024-07-31T10:00:00.5+02:00")).toBe(Date.UTC(2024, 6, 31, 8, 0, 0, 500));
  expect(read("1700000000")).toBe(1_700_000_000_000);
  for (const text of ["01/02/2024", "2024-13-01", "2024-02-30", "31.1.2024", "x", "2024-01-01T25:00"]) {
    expect(read(text)).toBe(null);
  }
});

test("a file that can't be read says why", async () => {
  await expect(readAll({ file: join(directory, "none.csv") })).rejects.toThrow("there is no such file");
  await expect(readAll({ file: directory })).rejects.toThrow("it is a directory");
  await expect(readFile("")).rejects.toThrow("empty");
});

test("a file of another format is told from a bad CSV file", async () => {
  const zip = Buffer.from("PK\x03\x04\x14\0\x06\0\x08\0", "latin1");
  const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  for (const content of [zip, png, Bun.gzipSync("slug,url\na,https://example.com/\n")]) {
    await expect(readFile(content)).rejects.toThrow("This isn't a CSV file. Save it as CSV (UTF-8).");
  }
  expect(linkOf((await readFile("PK,url\na,https://example.com/\n"))[0]).fields.destination_url).toBe(
    "https://example.com/",
  );
});
