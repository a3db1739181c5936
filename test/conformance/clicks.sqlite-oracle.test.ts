import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBucketStarts } from "#analytics/bucket-starts.ts";
import { accountDimensions, type Granularity } from "#contract/analytics.ts";
import type { ClicksEngine, Report, ReportRequest, Totals } from "#engines/clicks/clicks-engine.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { type ClickTarget, clickLines } from "#sample-data/click-lines.ts";
import { byPopularity, sampleLinks } from "#sample-data/sample-links.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import { definedTexts } from "#test/bench/data/defined-texts.ts";
import { plainColumns, plainLines } from "#test/bench/data/plain-lines.ts";

const CLICKS = 100_000;
const LINKS = 200;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 1, 20, 3, 21);
const END_MS = FIRST_MS + 60 * DAY_MS;

/** The offset of a time zone from UTC as SQL, according to the calendar. */
const OFFSETS = {
  UTC: "0",
  "Asia/Kathmandu": "20700000",
  // Summer time began on 29 March 2026 at one o'clock UTC.
  "Europe/Berlin": `case when at_ms < ${Date.UTC(2026, 2, 29, 1)} then 3600000 else 7200000 end`,
} as const;
type ZoneName = keyof typeof OFFSETS;

const RULES = [
  ["ios-de", 2],
  ["test/a", 6],
  ["test/b", 4],
  ["", 8],
] as const;

/** Every fifth link belongs to the second account. */
function makeTargets(): { readonly targets: ClickTarget[]; readonly tags: ReadonlyMap<number, readonly string[]> } {
  const links = sampleLinks(LINKS, { fromMs: FIRST_MS, toMs: END_MS }, 4).map((link, index) => ({
    ...link,
    accountNo: index % 5 === 0 ? 2 : 1,
    linkNo: index + 1,
  }));
  return {
    targets: byPopularity(links, FIRST_MS, 4).map(({ body, ...target }, rank) => ({
      ...target,
      utm: body.utm,
      ...(target.linkNo % 3 === 0 && { domain: `go${target.linkNo % 2}.example` }),
      ...(rank % 4 === 0 && { rules: RULES }),
    })),
    tags: new Map(links.map(({ linkNo, body }) => [linkNo, body.tags ?? []])),
  };
}

/** The same clicks in another program, counted by queries that know nothing about Kurz's storage. */
describe("100 000 generated clicks counted by the sqlite3 shell", () => {
  let directory = "";
  let engine: ClicksEngine;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "kurz-oracle-"));
    const file = join(directory, "clicks.tsv");
    const { targets, tags } = makeTargets();
    const chunks = [...clickLines({ targets, clicks: CLICKS, fromMs: FIRST_MS, toMs: END_MS, seed: 4 })];
    writeFileSync(file, [...plainLines(chunks)].join(""));
    const hits = CLICKS + chunks.reduce((sum, { botHits }) => sum + botHits, 0);
    engine = openDuckDbClicks({
      path: join(directory, CLICKS_FILE),
      batchDirectory: directory,
      summaryClicksMin: 500,
    });
    const texts = definedTexts();
    for (const { uses } of chunks) texts.add(uses);
    const lines = Buffer.from(chunks.map((chunk) => chunk.lines).join(""));
    const part = { segment: "a", toOffset: 1, lines, count: hits, textsOf: texts.textsOf };
    expect(await engine.ingest({ parts: [part] })).toEqual({ clicks: hits });
    await engine.setLinkTags(
      targets.map(({ accountNo, linkNo }) => ({ accountNo, linkNo, tags: tags.get(linkNo) ?? [] })),
      1,
    );
    // Reports read summaries of most days, and single clicks of the rest.
    await engine.summarise(END_MS - 3 * DAY_MS);
    const numbers: readonly string[] = ["at_ms", "account_no", "link_no", "bot"];
    const columns = plainColumns.map((name) => `${name} ${numbers.includes(name) ? "integer" : "text"}`);
    const tagRows = [...tags].flatMap(([linkNo, names]) => names.map((name) => `(${linkNo}, '${name}')`));
    shell([
      `create table clicks (${columns.join(", ")});`,
      "create table link_tags (link_no integer, tag text);",
      `insert into link_tags values ${tagRows.join(", ")};`,
      ".mode tabs",
      `.import ${JSON.stringify(file)} clicks`,
    ]);
    expect(ask("select count(*) as hits, sum(not bot) as clicks from clicks")).toEqual([{ hits, clicks: CLICKS }]);
  });

  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  function shell(commands: readonly string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sqlite3", "-batch", join(directory, "oracle.db")], {
      stdin: Buffer.from(commands.join("\n")),
    });
    if (exitCode !== 0 || stderr.length > 0) throw new Error(`sqlite3: ${stderr}`);
    return stdout.toString();
  }

  const ask = (sql: string): Record<string, unknown>[] => JSON.parse(shell([".mode json", `${sql};`]) || "[]");

  interface Question {
    readonly request: ReportRequest;
    readonly zone: ZoneName;
    readonly granularity: "hour" | "day";
    /** The request's filters as SQL. */
    readonly where?: string;
  }

  /** A report with one query for each of its parts. */
  function expectedReport({ request, zone, granularity, where = "true" }: Question): Report {
    const scope = `account_no = ${request.accountNo} and ${request.linkNo === null ? "true" : `link_no = ${request.linkNo}`}`;
    const inRange = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
      `at_ms >= ${fromMs} and at_ms < ${toMs} and ${scope} and ${where}`;
    const bots = request.includeBots ? "true" : "bot = 0";
    const visitors = "count(distinct case when visitor <> '' then (at_ms / 86400000) || '/' || visitor end)";
    const totalsIn = (range: { fromMs: number; toMs: number }) =>
      ask(`select count(*) as clicks, ${visitors} as uniqueVisitors, coalesce(sum(source = 'qr'), 0) as qrScans,
        (select count(*) from clicks where ${inRange(range)} and bot = 1) as botHits
        from clicks where ${inRange(range)} and ${bots}`)[0] as unknown as Totals;
    const unit = granularity === "day" ? DAY_MS : HOUR_MS;
    const buckets = new Map(
      ask(`select (at_ms + ${OFFSETS[zone]}) / ${unit} as local, sum(${bots}) as clicks,
        ${visitors.replace("visitor <> ''", `visitor <> '' and ${bots}`)} as uniqueVisitors,
        sum(source = 'qr' and ${bots}) as qrScans, sum(bot = 1) as botHits
        from clicks where ${inRange(request)} group by local`).map(({ local, ...bucket }) => [local, bucket]),
    );
    const locals = ask(
      `select (at_ms + ${OFFSETS[zone]}) / ${unit} as local
       from (${request.bucketStartsMs.map((start) => `select ${start} as at_ms`).join(" union all ")})`,
    );
    const breakdowns = request.groupBy.map((dimension) => {
      const column = dimension === "link" ? "link_no" : dimension;
      const source = dimension === "tag" ? "clicks left join link_tags using (link_no)" : "clicks";
      const items = ask(`select nullif(${column}, '') as key, count(*) as clicks, ${visitors} as uniqueVisitors
        from ${source} where ${inRange(request)} and ${bots} group by nullif(${column}, '')
        order by clicks desc, key nulls last`);
      const other = items.slice(request.limit).reduce((sum, { clicks }) => sum + Number(clicks), 0);
      return [dimension, { items: items.slice(0, request.limit), otherClicks: other }] as const;
    });
    return {
      totals: totalsIn(request),
      series: locals.map(({ local }) => buckets.get(local) ?? { clicks: 0, uniqueVisitors: 0, qrScans: 0, botHits: 0 }),
      breakdowns: new Map(breakdowns),
      previous: request.previous && totalsIn(request.previous),
    } as unknown as Report;
  }

  function question(
    fields: Partial<ReportRequest>,
    zone: ZoneName,
    more: { readonly where?: string; readonly granularity?: "hour" | "day" } = {},
  ): Question {
    const range = { fromMs: FIRST_MS + 2 * DAY_MS + 1234, toMs: END_MS - DAY_MS - 77, ...fields };
    const found = findTimeZone(zone);
    if (!found) throw new Error(`no zone ${zone}`);
    const granularity: Granularity & ("hour" | "day") = more.granularity ?? "day";
    const { fromMs, toMs } = range;
    const request = {
      accountNo: 1,
      linkNo: null,
      filters: {},
      includeBots: false,
      groupBy: [...accountDimensions],
      limit: 10,
      breakdownVisitors: true,
      previous: null,
      ...range,
      bucketStartsMs: findBucketStarts(found, granularity, { fromMs, toMs, most: 2000 }) ?? [],
      ...fields,
    };
    return { request, zone, granularity, ...more };
  }

  async function expectSame(asked: Question): Promise<void> {
    const report = await engine.report(asked.request);
    expect(report).toEqual(expectedReport(asked));
    expect(report.totals.clicks).toBeGreaterThan(100);
  }

  test("give the same account report, by every dimension and with the previous period", async () => {
    const [fromMs, toMs] = [END_MS - 30 * DAY_MS, END_MS];
    await expectSame(question({ fromMs, toMs, previous: { fromMs: fromMs - 30 * DAY_MS, toMs: fromMs } }, "UTC"));
  });

  test("give the same report in a time zone with an offset of 5:45, bots included", async () => {
    await expectSame(question({ includeBots: true, limit: 100 }, "Asia/Kathmandu"));
  });

  test("give the same report by day and by hour across the start of summer time", async () => {
    await expectSame(question({}, "Europe/Berlin"));
    const range = { fromMs: Date.UTC(2026, 2, 27, 23), toMs: Date.UTC(2026, 2, 31, 5, 17), groupBy: [] };
    await expectSame(question(range, "Europe/Berlin", { granularity: "hour" }));
  });

  test("give the same link report over all days", async () => {
    const [{ link_no }] = ask("select link_no from clicks group by link_no order by count(*) desc limit 1") as [
      { link_no: number },
    ];
    const [{ account_no }] = ask(`select account_no from clicks where link_no = ${link_no} limit 1`) as [
      { account_no: number },
    ];
    const fields = { accountNo: account_no, linkNo: link_no, fromMs: FIRST_MS - DAY_MS, toMs: END_MS };
    await expectSame(question(fields, "UTC"));
  });

  test("give the same report with filters", async () => {
    const filters = { country: ["DE", "US", null], browser: ["Safari", "Chrome"], utm_source: ["social", null] };
    const where = "country in ('DE', 'US', '') and browser in ('Safari', 'Chrome') and utm_source in ('social', '')";
    await expectSame(question({ filters }, "Europe/Berlin", { where }));
    const tagged = "link_no in (select link_no from link_tags where tag = 'garden')";
    const rest = "device = 'mobile' and source = 'qr'";
    await expectSame(
      question({ filters: { device: ["mobile"], source: ["qr"], tag: ["garden", null] } }, "UTC", {
        where: `${rest} and (${tagged} or link_no not in (select link_no from link_tags))`,
      }),
    );
    const links = { link: [1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56, 61] };
    await expectSame(
      question({ accountNo: 2, filters: links }, "Asia/Kathmandu", { where: `link_no in (${links.link.join(", ")})` }),
    );
  });
});
