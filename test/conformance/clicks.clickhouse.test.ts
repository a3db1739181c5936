import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { openClickHouseClicks } from "#engines/clicks/clickhouse/clickhouse-clicks.ts";
import { layoutOf } from "#engines/clicks/clickhouse/layout.ts";
import { migrationsFor } from "#engines/clicks/clickhouse/schema.ts";
import { ClicksUnavailable, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import { type RelayedStatement, relayClickHouse } from "#test/support/clickhouse-relay.ts";
import {
  type ClickHouseServer,
  clickHouseCasesMax,
  clickHousePatienceMs,
  clickHouseTestMsMax,
  describeWithClickHouse,
  startClickHouseServer,
} from "#test/support/clickhouse-server.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import { DAY_MS, wholeWeek } from "./clicks.lab.ts";
import { ClicksOracle, partOf } from "./clicks.oracle.ts";
import { clicksConformance } from "./clicks.suite.ts";

setDefaultTimeout(clickHouseTestMsMax);

describeWithClickHouse("ClickHouse", () => {
  let server: ClickHouseServer;

  beforeAll(async () => {
    server = await startClickHouseServer();
    // The first statement loads the engine.
    await server.ask("select 1");
  });
  afterAll(() => server?.stop());

  interface Opening {
    readonly node?: string;
    readonly installation?: string;
    readonly reportTimeoutMs?: number;
    readonly erasedKeptMax?: number;
    readonly origin?: string;
  }

  const open = (database: string, { origin = server.origin, ...opening }: Opening = {}) =>
    openClickHouseClicks({
      url: `${origin}/${database}`,
      node: "node",
      reportTimeoutMs: clickHousePatienceMs,
      ingestTimeoutMs: clickHousePatienceMs,
      statementTimeoutMs: clickHousePatienceMs,
      ...opening,
    });

  clicksConformance("ClickHouse", ({ directory }) => open(basename(directory).replaceAll("-", "_")), {
    hasFile: false,
    hasSummaries: false,
    casesMax: clickHouseCasesMax,
  });

  const clicks = fc.sample(anyClick, { numRuns: 300, seed: 1 });
  // Compaction takes some twenty statements a day.
  const ofDay = clicks.filter(({ at_ms }) => at_ms < FIRST_MS + DAY_MS);

  test("a large batch arrives whole, whatever its bytes look like", async () => {
    const engine = open("large");
    const many = fc.sample(anyClick, { numRuns: 5000, seed: 7 });
    expect(await engine.ingest({ parts: [partOf(many, "segment", 1)] })).toEqual({ clicks: many.length });
    const reports = [1, 2].map((accountNo) =>
      engine.report({ ...wholeWeek, accountNo, includeBots: true, groupBy: [] }),
    );
    const totals = (await Promise.all(reports)).map((report) => report.totals.clicks);
    expect(totals.reduce((sum, of) => sum + of, 0)).toBe(many.length);
    await engine.close();
  });

  test("ten nodes that start together on an empty database prepare it once", async () => {
    const engines = Array.from({ length: 10 }, (_, index) =>
      open("together", { node: `node${index}`, installation: "a" }),
    );
    const stored = await Promise.all(
      engines.map((engine, index) => engine.ingest({ parts: [partOf(clicks.slice(0, 10), `segment-${index}`, 1)] })),
    );
    expect(stored).toEqual(engines.map(() => ({ clicks: 10 })));
    expect(await engines[0]?.stats()).toMatchObject({ rows: 100 });
    // Each forgets its own positions only.
    await engines[0]?.forgetCheckpointsBut([]);
    expect(await engines[0]?.checkpoint("segment-0")).toBe(0);
    expect(await engines[1]?.checkpoint("segment-1")).toBe(1);
    const foreign = open("together", { installation: "b" });
    await expect(foreign.stats()).rejects.toBeInstanceOf(ForeignClicks);
    for (const engine of [...engines, foreign]) await engine.close();
  });

  test("a batch whose outcome is unknown counts once, whether it was stored, in part or not at all", async () => {
    const node = "node";
    for (const arrives of ["before", "after", "never"] as const) {
      const database = `doubt_${arrives}`;
      const killed = open(database);
      await killed.ingest({ parts: [partOf(ofDay.slice(0, 10), "segment", 1)] });
      await killed.close();
      // As a process leaves it that is killed before it gets an answer.
      const batch = (Date.now() + DAY_MS) * 2048;
      const begun = `insert into batches (node, batch, state) values ('${node}', ${batch}, 'begun')`;
      await server.ask(begun, database);
      const arrive = () =>
        server.ask(
          `insert into clicks (at_ms, account_no, link_no, node, batch) values (${FIRST_MS}, 1, 1, 'node', ${batch})`,
          database,
        );
      if (arrives === "before") await arrive();

      const next = open(database);
      expect(await next.checkpoint("segment")).toBe(1);
      await next.ingest({ parts: [partOf(ofDay.slice(10), "segment", 2)] });
      if (arrives === "after") {
        await arrive();
        // More than fit in a statement.
        await server.ask(
          "insert into batches (node, batch, state) select 'failing', number, 'aborted' from numbers(60000)",
          database,
        );
      }
      expect(await next.stats()).toMatchObject({ rows: ofDay.length });
      const bots = { ...wholeWeek, includeBots: true, groupBy: [] };
      const [one, two] = await Promise.all([1, 2].map((accountNo) => next.report({ ...bots, accountNo })));
      expect((one?.totals.clicks ?? 0) + (two?.totals.clicks ?? 0)).toBe(ofDay.length);
      if (arrives !== "never") {
        await next.compact(FIRST_MS + DAY_MS);
        expect(await next.stats()).toMatchObject({ rows: 0, compactedClicks: ofDay.length });
      }
      await next.close();
    }
  });

  test("nodes may number their batches alike, and one of them may be disowned", async () => {
    const database = "alike";
    const clock = spyOn(Date, "now").mockReturnValue(Date.now());
    try {
      const engines = ["one", "two"].map((node) => open(database, { node }));
      for (const engine of engines) await engine.ingest({ parts: [partOf(clicks.slice(0, 20), "segment", 1)] });
      expect(await server.ask("select count(), uniqExact(batch) from batches where state = 'stored'", database)).toBe(
        "2\t1",
      );
      expect(await engines[0]?.stats()).toMatchObject({ rows: 40 });
      await server.ask(
        "insert into batches (node, batch, state) select 'two', max(batch), 'aborted' from batches",
        database,
      );
      expect(await engines[0]?.stats()).toMatchObject({ rows: 20 });
      for (const engine of engines) await engine.close();
    } finally {
      clock.mockRestore();
    }
  });

  test("a node that was killed while it forgot positions disowns no stored batch", async () => {
    const database = "forgetting";
    const killed = open(database);
    await killed.ingest({ parts: [partOf(clicks.slice(0, 20), "segment", 1)] });
    const stored = await server.ask("select batch from batches where state = 'stored'", database);
    await killed.forgetCheckpointsBut([]);
    await killed.close();
    // The deletion goes part by part, so the row about the end of a batch may go first.
    await server.ask(`insert into batches (node, batch, state) values ('node', ${stored}, 'begun')`, database);
    const next = open(database);
    await next.checkpoint("segment");
    expect(await next.stats()).toMatchObject({ rows: 20 });
    await next.close();
  });

  test("of two nodes that compact at once, one does, and only while it may", async () => {
    const database = "contended";
    const slow = open(database, { node: "slow" });
    await slow.ingest({ parts: [partOf(ofDay, "segment", 1)] });
    const counted = () => server.ask("select count() from compactions", database);
    await slow.compact(FIRST_MS + DAY_MS, () => false);
    expect(await counted()).toBe("0");
    // Another node begins just before the first one's counts become valid.
    let others = 0;
    const relay = relayClickHouse(server.origin, {
      async before({ query }) {
        if (!query.startsWith("insert into compactions ") || !query.includes("'counted'")) return;
        others += 1;
        if (others === 1) await slow.compact(FIRST_MS + DAY_MS);
      },
    });
    const first = open(database, { node: "first", origin: relay.origin });
    await first.compact(FIRST_MS + DAY_MS);
    expect(others).toBeGreaterThan(0);
    const days = "select count(), uniqExact(day) from compactions where state = 'counted'";
    expect(await server.ask(days, database)).toBe(`${others}\t${others}`);
    const requests = [1, 2].map((accountNo) => ({ ...wholeWeek, accountNo, includeBots: true, groupBy: [] }));
    const reports = await Promise.all(requests.map((request) => slow.report(request)));
    expect(reports.reduce((sum, { totals }) => sum + totals.clicks, 0)).toBe(ofDay.length);
    // A node that died keeps its claim for two hours.
    await server.ask(
      "insert into compaction_claims (no, owner, is_held, at) select max(no) + 1, 'died', true, now64(3) from compaction_claims",
      database,
    );
    await slow.ingest({ parts: [partOf(ofDay, "late", 1)] });
    await slow.compact(FIRST_MS + DAY_MS);
    expect(await server.ask("select count() from clicks", database)).toBe(String(ofDay.length));
    await server.ask(
      "insert into compaction_claims (no, owner, is_held, at) select max(no) + 1, 'died', true, now64(3) - interval 3 hour from compaction_claims",
      database,
    );
    await slow.compact(FIRST_MS + DAY_MS);
    expect(await server.ask("select count() from clicks", database)).toBe("0");
    await first.close();
    await slow.close();
    await relay.stop();
  });

  test("a day is counted without what was erased, however much that was over the years", async () => {
    const database = "erased_for_years";
    // The server would refuse to hold all that was erased in memory.
    const relay = relayClickHouse(server.origin, { settings: { max_rows_in_set: "300" } });
    const engine = open(database, { origin: relay.origin });
    await engine.ingest({ parts: [partOf(ofDay, "segment", 1)] });
    await server.ask(
      `insert into clicks (at_ms, account_no, link_no) values (${FIRST_MS}, 1, 1001), (${FIRST_MS}, 1001, 1)`,
      database,
    );
    await server.ask(
      "insert into erased_links (account_no, link_no) select 1, number from numbers(1000, 1000)",
      database,
    );
    await server.ask("insert into erased_accounts (account_no) select number from numbers(1000, 1000)", database);
    await engine.compact(FIRST_MS + DAY_MS);
    expect(await engine.stats()).toMatchObject({ rows: 0, compactedClicks: ofDay.length });
    await engine.close();
    await relay.stop();
  });

  test("a day that takes longer to count than a claim lasts is compacted, because the claim is renewed", async () => {
    const database = "lengthy";
    let lateMs = 0;
    const now = Date.now;
    const clock = spyOn(Date, "now").mockImplementation(() => now() + lateMs);
    const relay = relayClickHouse(server.origin, {
      async after({ query }) {
        if (query.startsWith("insert into compacted_visitors")) lateMs += 10 * 60_000;
      },
    });
    try {
      const engine = open(database, { origin: relay.origin });
      await engine.ingest({ parts: [partOf(ofDay, "segment", 1)] });
      await engine.compact(FIRST_MS + DAY_MS);
      expect(lateMs).toBe(4 * 10 * 60_000);
      expect(await engine.stats()).toMatchObject({ rows: 0, compactedClicks: ofDay.length });
      await engine.close();
    } finally {
      clock.mockRestore();
      await relay.stop();
    }
  });

  test("the statements for a cluster are ones that ClickHouse understands", async () => {
    const layout = layoutOf("kurz");
    for (const sql of migrationsFor(layout).flat()) {
      const parsed = await server.ask(`explain ast ${sql}`);
      expect(parsed).toContain(sql.startsWith("alter") ? "AlterQuery" : "Function ReplicatedMergeTree");
    }
    // A table that names a setting the engine doesn't have would be refused.
    const known = await server.ask("select name from system.replicated_merge_tree_settings");
    const used = migrationsFor(layout)
      .flat()
      .flatMap((sql) => [...(/ settings (.*)$/s.exec(sql)?.[1] ?? "").matchAll(/(\w+) = /g)].map(([, name]) => name));
    expect(used).toContain("replicated_deduplication_window");
    expect(known.split("\n")).toEqual(expect.arrayContaining(used));
    for (const [name, value] of Object.entries(layout.settings)) await server.ask(`set ${name} = '${value}'`);
    for (const sql of [
      "system sync replica batches lightweight",
      "create database if not exists kurz on cluster 'kurz'",
    ]) {
      expect(await server.ask(`explain ast ${sql}`)).not.toBe("");
    }
  });

  test("releases share the tables as long as the older one can use them", async () => {
    const database = "newer";
    const running = open(database);
    await running.ingest({ parts: [partOf(ofDay, "segment", 1)] });
    await server.ask("insert into schema_versions values (1000, 1)", database);
    const tolerated = open(database);
    expect(await tolerated.stats()).toMatchObject({ rows: ofDay.length });
    // Its counts would lack texts that only the later release knows of.
    for (const engine of [running, tolerated]) {
      await engine.compact(FIRST_MS + DAY_MS);
      expect(await engine.stats()).toMatchObject({ rows: ofDay.length, compactedClicks: 0 });
      await engine.close();
    }
    await server.ask("insert into schema_versions values (1001, 1001)", database);
    const refused = open(database);
    await expect(refused.stats()).rejects.toThrow("written by a later one");
    await refused.close();
  });

  test("clicks of the version before have no domain and rule, and later ones do", async () => {
    const database = "before_domains";
    await server.ask(`create database ${database}`);
    const before = migrationsFor(layoutOf(null)).slice(0, 2);
    for (const sql of before.flat()) await server.ask(sql, database);
    await server.ask(
      "create table schema_versions (version UInt32, works_from UInt32) engine = MergeTree order by version",
      database,
    );
    await server.ask("insert into schema_versions values (1, 1), (2, 1)", database);
    await server.ask(
      `insert into clicks (at_ms, account_no, link_no, node, batch, utm_content)
      select ${FIRST_MS} + number, 1, 1, 'node', 1, 'old' from numbers(3)`,
      database,
    );
    const engine = open(database);
    const later = ofDay.filter(({ account_no, bot }) => account_no === 1 && !bot);
    await engine.ingest({ parts: [partOf(later, "segment", 1)] });
    const oracle = new ClicksOracle();
    oracle.clicks.push(...later);
    const request = { ...wholeWeek, groupBy: ["domain", "rule"] as const, breakdownVisitors: false, limit: 10 };
    const expected = (dimension: "domain" | "rule") =>
      oracle
        .report(request)
        .breakdowns.get(dimension)
        ?.items.map(({ key, clicks }) => [key, clicks + (key === null ? 3 : 0)])
        .sort();
    const found = async (dimension: "domain" | "rule") =>
      (await engine.report(request)).breakdowns
        .get(dimension)
        ?.items.map(({ key, clicks }) => [key, clicks])
        .sort();
    const same = { domain: expected("domain"), rule: expected("rule") };
    expect({ domain: await found("domain"), rule: await found("rule") }).toEqual(same);
    await engine.compact(FIRST_MS + DAY_MS);
    expect(await engine.stats()).toMatchObject({ rows: 0, compactedClicks: later.length + 3 });
    expect({ domain: await found("domain"), rule: await found("rule") }).toEqual(same);
    await engine.close();
  });

  test("an interrupted compaction continues, and reports are the same at every step", async () => {
    const database = "interrupted";
    const engine = open(database);
    await engine.ingest({ parts: [partOf(clicks, "segment", 1)] });
    const request = { ...wholeWeek, breakdownVisitors: false };
    const withoutVisitors = async () => {
      const { totals, series, breakdowns } = await engine.report(request);
      return { clicks: totals.clicks, series: series.map((bucket) => bucket.clicks), breakdowns };
    };
    const before = await withoutVisitors();
    const day = FIRST_MS / DAY_MS;
    await server.ask(`alter table clicks move partition ${day} to table expiring_clicks`, database);
    expect(await withoutVisitors()).toEqual(before);
    // Counts of a run that never became valid.
    await server.ask(
      `insert into compacted_clicks (run, at_ms, account_no, link_no, clicks) values (7, ${FIRST_MS}, 1, 1, 1000)`,
      database,
    );
    expect(await withoutVisitors()).toEqual(before);
    // Late clicks of the day.
    await engine.ingest({ parts: [partOf(clicks.slice(0, 50), "late", 1)] });
    const withLate = await withoutVisitors();
    await engine.compact(FIRST_MS + 3 * DAY_MS);
    expect(await withoutVisitors()).toEqual(withLate);
    await engine.ingest({ parts: [partOf(clicks.slice(50, 100), "later", 1)] });
    const withLater = await withoutVisitors();
    await engine.compact(FIRST_MS + 3 * DAY_MS);
    expect(await withoutVisitors()).toEqual(withLater);
    const { rows, compactedClicks } = await engine.stats();
    expect(rows + compactedClicks).toBe(400);
    expect(await server.ask("select count() from compacted_clicks where run = 7", database)).toBe("0");
    await engine.close();
  });

  test("a click of an erased link that arrives while it is erased is gone after reclaiming", async () => {
    const database = "arriving";
    const engine = open(database);
    await engine.ingest({ parts: [partOf(clicks, "segment", 1)] });
    await engine.eraseLinks([{ accountNo: 1, linkNo: 2 }]);
    await server.ask(
      `insert into clicks (at_ms, account_no, link_no, batch, utm_campaign) values (${FIRST_MS}, 1, 2, 5, 'of-an-erased-link')`,
      database,
    );
    await engine.reclaim();
    expect(await server.ask("select count() from clicks where account_no = 1 and link_no = 2", database)).toBe("0");
    expect(activeFilesHold(await server.partsOf(database, "clicks"), "of-an-erased-link")).toBe(false);
    await engine.close();
  });

  test.each([
    ["keeps all erasures in memory", 100],
    ["keeps the first of them", 1],
    ["keeps none", 0],
  ])("an erasure on one node reaches clicks that another one, which %s, is just sending", async (_, erasedKeptMax) => {
    const database = `erasing_${erasedKeptMax}`;
    const eraser = open(database, { node: "eraser" });
    await eraser.eraseLinks([{ accountNo: 1, linkNo: 3 }]);
    // After the other node has asked what is erased, and before its rows are there.
    const erase = async ({ query }: RelayedStatement): Promise<void> => {
      if (!query.startsWith("insert into clicks ")) return;
      await eraser.eraseLinks([{ accountNo: 1, linkNo: 2 }]);
      await eraser.eraseAccount(2);
      // Learns of the erasure before the batch asks again.
      await sender.setLinkTags([], 1);
    };
    const relay = relayClickHouse(server.origin, { before: erase });
    const sender = open(database, { node: "sender", origin: relay.origin, erasedKeptMax });
    await sender.ingest({ parts: [partOf(clicks, "segment", 1)] });
    const oracle = new ClicksOracle();
    oracle.clicks.push(...clicks.filter(({ account_no }) => account_no !== 2));
    for (const linkNo of [2, 3]) oracle.eraseLink({ accountNo: 1, linkNo });
    const request = { ...wholeWeek, groupBy: ["link" as const], includeBots: true };
    expect(await eraser.report(request)).toEqual(oracle.report(request));
    expect((await eraser.report({ ...request, accountNo: 2 })).totals.clicks).toBe(0);
    await sender.close();
    await eraser.close();
    await relay.stop();
  });

  test("a day isn't counted while some of its clicks may be sent again", async () => {
    const database = "unsettled";
    const killed = open(database);
    await killed.ingest({ parts: [partOf(ofDay.slice(10), "segment", 1)] });
    await killed.close();
    const batch = (Date.now() + DAY_MS) * 2048;
    await server.ask(`insert into batches (node, batch, state) values ('node', ${batch}, 'begun')`, database);
    await server.ask(
      `insert into clicks (at_ms, account_no, link_no, node, batch) values (${FIRST_MS}, 1, 1, 'node', ${batch})`,
      database,
    );
    const other = open(database, { node: "other" });
    await other.compact(FIRST_MS + DAY_MS);
    const back = open(database);
    await back.ingest({ parts: [partOf(ofDay.slice(0, 10), "segment", 2)] });
    await other.compact(FIRST_MS + DAY_MS);
    const reports = [1, 2].map((accountNo) =>
      other.report({ ...wholeWeek, accountNo, includeBots: true, groupBy: [] }),
    );
    const totals = (await Promise.all(reports)).map((report) => report.totals.clicks);
    expect(totals.reduce((sum, of) => sum + of, 0)).toBe(ofDay.length);
    await other.close();
    await back.close();
  });

  test("while the server is away nothing is lost, and a frozen one doesn't hold anyone up for long", async () => {
    const database = "outages";
    const engine = open(database);
    const parts = (offset: number) => [partOf(clicks.slice(offset * 10, offset * 10 + 10), "segment", offset + 1)];
    await engine.ingest({ parts: parts(0) });
    await server.kill();
    await expect(engine.ingest({ parts: parts(1) })).rejects.toBeInstanceOf(ClicksUnavailable);
    await expect(engine.report(wholeWeek)).rejects.toBeInstanceOf(ClicksUnavailable);
    expect(engine.isUp?.()).toBe(false);
    await server.start();
    expect(await engine.checkpoint("segment")).toBe(1);
    expect(await engine.ingest({ parts: parts(1) })).toEqual({ clicks: 10 });
    expect(engine.isUp?.()).toBe(true);

    server.freeze();
    const hasty = open(database, { reportTimeoutMs: 100 });
    const report = hasty.report(wholeWeek);
    await expect(report).rejects.toBeInstanceOf(ClicksUnavailable);
    server.thaw();
    expect(await engine.stats()).toMatchObject({ rows: 20 });
    await hasty.close();
    await engine.close();
  });
});

/** Whether the files of these parts contain a text; compressed or not, texts this short are stored as they are. */
function activeFilesHold(parts: readonly string[], text: string): boolean {
  return parts
    .flatMap((part) => readdirSync(part).map((name) => join(part, name)))
    .some((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}
