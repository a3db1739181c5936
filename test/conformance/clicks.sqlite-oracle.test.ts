import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBucketStarts } from "#analytics/bucket-starts.ts";
import { findTimeZone } from "#analytics/time-zone.ts";
import { clickTexts } from "#engines/clicks/click-fields.ts";
import type { ClicksEngine, Report, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb-clicks.ts";
import { seededRandom, zipfRanks } from "#kernel/seeded-random.ts";
import { clickLine, type TestClick } from "./clicks.oracle.ts";

const CLICKS = 100_000;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 1, 20, 3, 21);
const END_MS = FIRST_MS + 20 * DAY_MS;
/** Kathmandu is this far from UTC all year. */
const KATHMANDU_MS = 20_700_000;

function makeClicks(): TestClick[] {
  const random = seededRandom(4);
  const link = zipfRanks(200, random);
  const visitor = zipfRanks(3000, random);
  const pick = (values: readonly (string | null)[]): string | null =>
    values[Math.floor(random() * values.length)] ?? null;
  const rank = zipfRanks(40, random);
  return Array.from({ length: CLICKS }, () => ({
    at_ms: FIRST_MS + Math.floor(random() * 20 * DAY_MS),
    account_no: random() < 0.8 ? 1 : 2,
    link_no: 1 + link(),
    bot: random() < 0.2,
    visitor: random() < 0.05 ? null : visitor().toString(16).padStart(16, "0"),
    country: pick(["DE", "FR", "US", "GB", null]),
    region: null,
    city: pick(["Köln", "Paris", null]),
    referrer: random() < 0.4 ? null : `host-${rank()}.example`,
    language: pick(["de", "en", null]),
    device: pick(["desktop", "mobile"]),
    browser: pick(["Chrome", "Safari", "Firefox"]),
    os: pick(["iOS", "Linux", null]),
    source: random() < 0.1 ? "qr" : "link",
    utm_source: pick(["newsletter", null]),
    utm_medium: null,
    utm_campaign: random() < 0.5 ? null : `campaign ${rank()}`,
    utm_term: null,
    utm_content: null,
  }));
}

/** The same clicks in another program, counted by statements that know nothing of how Kurz keeps them. */
describe("100 000 clicks counted by the sqlite3 shell", () => {
  let directory = "";
  let engine: ClicksEngine;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "kurz-oracle-"));
    const file = join(directory, "clicks.tsv");
    writeFileSync(
      file,
      makeClicks()
        .map((click) => `${clickLine(click)}\n`)
        .join(""),
    );
    engine = openDuckDbClicks({
      path: join(directory, CLICKS_FILE),
      batchDirectory: directory,
      summaryClicksMin: 500,
    });
    const { clicks } = await engine.ingest({ file, checkpoints: [{ segment: "a", offset: 1 }] });
    expect(clicks).toBe(CLICKS);
    await engine.summarise(END_MS - 3 * DAY_MS);
    const columns = ["at_ms integer", "account_no integer", "link_no integer", "bot integer", "visitor text"];
    shell([
      `create table clicks (${[...columns, ...clickTexts.map((name) => `${name} text`)].join(", ")});`,
      ".mode tabs",
      `.import ${JSON.stringify(file)} clicks`,
    ]);
    expect(ask("select count(*) as clicks from clicks")).toEqual([{ clicks: CLICKS }]);
  }, 60_000);

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

  /** The parts of a report, each by a statement of its own. */
  function expectedReport(request: ReportRequest, where: string, offsetMs: number): Report {
    const inRange = `at_ms >= ${request.fromMs} and at_ms < ${request.toMs} and account_no = ${request.accountNo} and ${where}`;
    const counted = request.includeBots ? inRange : `${inRange} and bot = 0`;
    const visitors = "count(distinct case when visitor <> '' then (at_ms / 86400000) || '/' || visitor end)";
    const totals = ask(`select count(*) as clicks, ${visitors} as uniqueVisitors,
      coalesce(sum(source = 'qr'), 0) as qrScans,
      (select count(*) from clicks where ${inRange} and bot = 1) as botHits from clicks where ${counted}`)[0];
    const days = new Map(
      ask(`select (at_ms + ${offsetMs}) / 86400000 as day, count(*) as clicks, ${visitors} as uniqueVisitors
        from clicks where ${counted} group by day`).map(({ day, ...bucket }) => [day, bucket]),
    );
    const breakdowns = request.groupBy.map((dimension) => {
      const column = dimension === "link" ? "link_no" : dimension;
      const items = ask(`select nullif(${column}, '') as key, count(*) as clicks, ${visitors} as uniqueVisitors
        from clicks where ${counted} group by ${column} order by clicks desc, nullif(${column}, '') nulls last`);
      const other = items.slice(request.limit).reduce((sum, { clicks }) => sum + Number(clicks), 0);
      return [dimension, { items: items.slice(0, request.limit), otherClicks: other }] as const;
    });
    return {
      totals,
      series: request.bucketStartsMs.map(
        (start) => days.get(Math.floor((start + offsetMs) / DAY_MS)) ?? { clicks: 0, uniqueVisitors: 0 },
      ),
      breakdowns: new Map(breakdowns),
      previous: null,
    } as unknown as Report;
  }

  function question(fields: Partial<ReportRequest>, zoneName: string): ReportRequest {
    const range = { fromMs: FIRST_MS + 2 * DAY_MS + 1234, toMs: END_MS - DAY_MS - 77, ...fields };
    const zone = findTimeZone(zoneName);
    if (!zone) throw new Error(`no zone ${zoneName}`);
    return {
      accountNo: 1,
      linkNo: null,
      filters: {},
      includeBots: false,
      groupBy: ["country", "city", "referrer", "browser", "utm_campaign", "link"],
      limit: 10,
      previous: null,
      ...range,
      bucketStartsMs: findBucketStarts(zone, "day", { fromMs: range.fromMs, toMs: range.toMs, most: 1000 }) ?? [],
      ...fields,
    };
  }

  test("give the same report of an account", async () => {
    const request = question({}, "UTC");
    expect(await engine.report(request)).toEqual(expectedReport(request, "true", 0));
  }, 30_000);

  test("give the same report in a time zone of 5:45 hours, bots included", async () => {
    const request = question({ includeBots: true, limit: 100 }, "Asia/Kathmandu");
    expect(await engine.report(request)).toEqual(expectedReport(request, "true", KATHMANDU_MS));
  }, 30_000);

  test("give the same report of a link, of all days", async () => {
    const request = question({ linkNo: 1, fromMs: FIRST_MS - DAY_MS, toMs: END_MS }, "UTC");
    expect(await engine.report(request)).toEqual(expectedReport(request, "link_no = 1", 0));
  }, 30_000);

  test("give the same report of some clicks", async () => {
    const filters = { country: ["DE", null], browser: ["Safari"], link: [1, 2, 3, 50] };
    const request = question({ filters, accountNo: 2 }, "Asia/Kathmandu");
    const where = "country in ('DE', '') and browser = 'Safari' and link_no in (1, 2, 3, 50)";
    expect(await engine.report(request)).toEqual(expectedReport(request, where, KATHMANDU_MS));
  }, 30_000);
});
