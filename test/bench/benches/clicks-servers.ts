import { openClickHouseClicks } from "#engines/clicks/clickhouse/clickhouse-clicks.ts";
import { layoutOf } from "#engines/clicks/clickhouse/layout.ts";
import { encodeRows, rowColumns } from "#engines/clicks/clickhouse/rows.ts";
import { migrationsFor } from "#engines/clicks/clickhouse/schema.ts";
import type { ClickPart, ClicksEngine, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { clickLines } from "#sample-data/click-lines.ts";
import { clickHouseMissing } from "#test/support/clickhouse-library.ts";
import { type ClickHouseServer, startClickHouseServer } from "#test/support/clickhouse-server.ts";
import { type ClickHouseLayout, clickHouseLayouts } from "../clickhouse-layouts.ts";
import { benchClicks } from "../data/bench-clicks.ts";
import { clickParts } from "../data/click-parts.ts";
import { interleave } from "../interleave.ts";
import { cpuMicrosOf } from "../process-figures.ts";
import { bytes, micros, millis, type Row } from "../report.ts";
import type { Stage } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const DAYS = 30;
const ACCOUNTS = 20;
const LINKS = 900;
const BATCH_CLICKS = { full: 50_000, quick: 5000 };
const STORED_CLICKS = { full: 2_000_000, quick: 50_000 };
/** Also enough for an emulator. */
const PATIENCE_MS = 1_800_000;

const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const startMs = endMs - DAYS * DAY_MS;

/** Clicks of a month, on links of several accounts. */
const monthOfClicks = (clicks: number) =>
  clickLines({
    targets: Array.from({ length: LINKS }, (_, index) => ({
      ...{ accountNo: 1 + (index % ACCOUNTS), linkNo: index + 1, createdMs: 0, channel: "website" as const },
      utm: index % 3 === 0 ? {} : { utm_source: "newsletter", utm_medium: "email", utm_campaign: `c-${index % 50}` },
    })),
    ...{ clicks, fromMs: startMs, toMs: endMs, seed: 1 },
  });

const openBench = (server: ClickHouseServer, database: string): ClicksEngine =>
  openClickHouseClicks({
    url: `${server.origin}/${database}`,
    node: "bench",
    ...{ reportTimeoutMs: PATIENCE_MS, ingestTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS },
  });

/** The server's CPU in µs. */
async function cpuOf(server: ClickHouseServer, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMicrosOf([server.pid]);
  await work();
  return cpuMicrosOf([server.pid]) - before;
}

async function measureIngestion(stage: Stage, server: ClickHouseServer): Promise<readonly Row[]> {
  const engine = openBench(server, "ingestion");
  await engine.stats();
  await server.ask("create database bare");
  for (const sql of migrationsFor(layoutOf(null)).flat()) await server.ask(sql, "bare");
  const batchClicks = BATCH_CLICKS[stage.isQuick ? "quick" : "full"];
  const nextPart = (name: string, round: number): ClickPart => {
    const parts = [...clickParts(benchClicks(batchClicks, round + 1), `${name}-${round}`)];
    const [first] = parts;
    if (first === undefined) throw new Error("no clicks");
    const lines = Buffer.concat(parts.map((part) => part.lines));
    return { ...first, lines, count: parts.reduce((sum, part) => sum + part.count, 0) };
  };
  const insert = async (part: ClickPart): Promise<void> => {
    const { bytes } = await encodeRows([part], { node: "bench", batch: 1, isErased: null });
    const query = encodeURIComponent(`insert into clicks (${rowColumns.join(", ")}) format RowBinary`);
    const answer = await fetch(`${server.origin}/?database=bare&query=${query}`, { method: "POST", body: bytes });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const perClick = async (part: ClickPart, store: () => Promise<unknown>) => (await cpuOf(server, store)) / part.count;
  const { ours, bare } = await interleave(stage.rounds, {
    async ours(round: number) {
      const part = nextPart("ours", round);
      return perClick(part, () => engine.ingest({ parts: [part] }));
    },
    async bare(round: number) {
      const part = nextPart("bare", round);
      return perClick(part, () => insert(part));
    },
  });
  await engine.close();
  const name = `CPU of ClickHouse per click, in batches of ${batchClicks}, beside one bare insert`;
  return [{ name, ours: micros(median(ours)), baseline: micros(median(bare)), ratio: medianRatio(ours, bare) }];
}

const sixDimensions = ["country", "referrer", "browser", "os", "device", "language"] as const;

const monthReport: ReportRequest = {
  accountNo: 1,
  linkNo: null,
  fromMs: startMs,
  toMs: endMs,
  bucketStartsMs: Array.from({ length: DAYS }, (_, day) => startMs + day * DAY_MS),
  filters: {},
  includeBots: false,
  groupBy: [...sixDimensions],
  limit: 10,
  breakdownVisitors: true,
  previous: null,
};

const OF_ACCOUNT = `account_no = 1 and at_ms >= ${startMs} and at_ms < ${endMs}`;
const DAY = `intDiv(at_ms, ${DAY_MS})`;
/** The least that a report needs. */
const bareReport = [
  `select ${DAY} as day, countIf(not bot), countIf(not bot and qr), countIf(bot), uniqExactIf(visitor, not bot)
    from clicks where ${OF_ACCOUNT} group by day`,
  ...sixDimensions.map(
    (name) =>
      `select ${name}, count(), uniqExact(visitor) from clicks where ${OF_ACCOUNT} and not bot group by ${name}`,
  ),
];

async function measureReports(stage: Stage, server: ClickHouseServer, engine: ClicksEngine): Promise<readonly Row[]> {
  const { ours, bare } = await interleave(stage.rounds, {
    ours: (_: number) => cpuOf(server, () => engine.report(monthReport)),
    bare: (_: number) =>
      cpuOf(server, async () => {
        for (const sql of bareReport) await server.ask(sql, "stored");
      }),
  });
  return [
    {
      name: "CPU of ClickHouse per report by six dimensions, beside bare statements",
      ours: millis(median(ours) / 1000),
      baseline: millis(median(bare) / 1000),
      ratio: medianRatio(ours, bare),
    },
  ];
}

async function measureLayouts(stage: Stage, server: ClickHouseServer): Promise<readonly Row[]> {
  const ask = (sql: string) => server.ask(sql, "stored");
  const sizes = new Map<string, number>();
  for (const { name, tables, fill } of clickHouseLayouts) {
    stage.say(`storing the clicks as ${name}`);
    for (const sql of fill) await ask(sql);
    for (const table of tables) await ask(`optimize table ${table} final`);
    const list = tables.map((table) => `'${table}'`).join(", ");
    const size = `select sum(bytes_on_disk) / (select count() from clicks) from system.parts
      where database = 'stored' and table in (${list}) and active`;
    sizes.set(name, Number(await ask(size)));
  }
  const conditions = { account: OF_ACCOUNT, link: `${OF_ACCOUNT} and link_no = 1` };
  const read = (layout: ClickHouseLayout, condition: string) =>
    cpuOf(server, async () => {
      for (const name of sixDimensions) await ask(layout.by(name, condition));
    });
  const rows: Row[] = [];
  for (const [scope, condition] of Object.entries(conditions)) {
    const times = await interleave(
      stage.rounds,
      Object.fromEntries(clickHouseLayouts.map((layout) => [layout.name, () => read(layout, condition)])),
    );
    const used = times[clickHouseLayouts[0]?.name ?? ""] ?? [];
    for (const { name } of clickHouseLayouts.slice(1)) {
      rows.push({
        name: `CPU to read six dimensions of one ${scope}: low_cardinality beside ${name}`,
        ours: millis(median(used) / 1000),
        baseline: millis(median(times[name] ?? []) / 1000),
        ratio: medianRatio(used, times[name] ?? []),
      });
    }
  }
  const ours = sizes.get("low_cardinality") ?? Number.NaN;
  const sizeRows = [...sizes].slice(1).map(([name, size]) => ({
    name: `bytes per click on disk: low_cardinality beside ${name}`,
    ...{ ours: bytes(ours), baseline: bytes(size), ratio: ours / size },
  }));
  return [...sizeRows, ...rows];
}

export const clicksServers: Bench = {
  name: "clicks-servers",
  about: "ingestion and reports on ClickHouse compared to bare statements, and ways to store clicks there",
  async run(stage) {
    if (clickHouseMissing !== null) return [{ name: clickHouseMissing, ours: "" }];
    const server = await startClickHouseServer();
    try {
      const ingestion = await measureIngestion(stage, server);
      const engine = openBench(server, "stored");
      stage.say("storing a month of clicks");
      const clicks = STORED_CLICKS[stage.isQuick ? "quick" : "full"];
      for (const part of clickParts(monthOfClicks(clicks), "month")) await engine.ingest({ parts: [part] });
      const reports = await measureReports(stage, server, engine);
      await engine.close();
      return [...ingestion, ...reports, ...(await measureLayouts(stage, server))];
    } finally {
      await server.stop();
    }
  },
};
