import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClickHouseClicks } from "#engines/clicks/clickhouse/clickhouse-clicks.ts";
import type { ClicksEngine, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import type { ClicksMove } from "#engines/clicks/move/clicks-move.ts";
import { moveClicks, planClicksMove } from "#engines/clicks/move/move-clicks.ts";
import { movedTables } from "#engines/clicks/move/moved-tables.ts";
import { relayClickHouse } from "#test/support/clickhouse-relay.ts";
import {
  type ClickHouseServer,
  describeWithClickHouse,
  movePatienceMs,
  startClickHouseServer,
} from "#test/support/clickhouse-server.ts";
import { type FilledClicks, fillClicks, openFilled } from "#test/support/filled-clicks.ts";
import { killAndWait, startUntilThere } from "#test/support/move-process.ts";
import { FIRST_MS } from "./clicks.arbitraries.ts";
import { DAY_MS, wholeWeek } from "./clicks.lab.ts";
import { partOf } from "./clicks.oracle.ts";

setDefaultTimeout(3 * movePatienceMs);

// One about everything; each part of a report takes seconds under an emulator.
const few: readonly ReportRequest[] = [
  { ...wholeWeek, includeBots: true, groupBy: ["link", "tag"] },
  { ...wholeWeek, accountNo: 2, breakdownVisitors: false, groupBy: [] },
];
const requests: readonly ReportRequest[] = [
  { ...wholeWeek, limit: 100 },
  { ...wholeWeek, linkNo: 1, filters: { tag: ["sale"] }, groupBy: ["utm_content"] },
  ...few,
];

describeWithClickHouse("moving clicks to ClickHouse", () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-move-clicks-"));
  const batchDirectory = join(directory, "batches");
  let server: ClickHouseServer;
  let filled: FilledClicks;
  let databases = 0;
  let database = "";
  let path = "";

  beforeAll(async () => {
    mkdirSync(batchDirectory);
    filled = await fillClicks(join(directory, "filled.duckdb"), batchDirectory);
    server = await startClickHouseServer();
    // The first statement loads the engine.
    await server.ask("select 1");
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => {
    databases += 1;
    database = `moved_${databases}`;
    path = join(directory, `${database}.duckdb`);
    copyFileSync(filled.path, path);
  });
  afterEach(() => rmSync(path));

  interface Moving {
    readonly installation?: string;
    readonly discards?: boolean;
    readonly origin?: string;
    readonly onProgress?: ClicksMove["onProgress"];
    readonly onWait?: ClicksMove["onWait"];
  }

  const moveOf = ({ origin = server.origin, ...moving }: Moving): ClicksMove => ({
    from: { path, batchDirectory },
    to: { url: `${origin}/${database}`, cluster: null, batchDirectory },
    ...{ installation: "a", discards: false, onProgress: () => {}, onWait: () => {} },
    ...moving,
  });
  const move = (moving: Moving = {}, node = "node") =>
    moveClicks(moveOf(moving), node, { statementTimeoutMs: movePatienceMs });
  const plan = (moving: Moving = {}) => planClicksMove(moveOf(moving), { statementTimeoutMs: movePatienceMs });

  const open = (node = "node") =>
    openClickHouseClicks({
      ...{ url: `${server.origin}/${database}`, node, installation: "a" },
      ...{ reportTimeoutMs: movePatienceMs, ingestTimeoutMs: movePatienceMs, statementTimeoutMs: movePatienceMs },
    });

  /** `expect(…).rejects` would poll, which makes a long chain of statements many times slower. */
  const refusalOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "no refusal",
      (error: Error) => error.message,
    );

  const using = async <T>(engine: ClicksEngine, work: (engine: ClicksEngine) => Promise<T>): Promise<T> => {
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  };
  const onFile = <T>(work: (engine: ClicksEngine) => Promise<T>) => using(openFilled({ path, batchDirectory }), work);
  const onServer = <T>(work: (engine: ClicksEngine) => Promise<T>) => using(open(), work);

  /** Everything that one can ask an engine. */
  async function answersOf(engine: ClicksEngine, asked = requests): Promise<unknown> {
    const { rows, compactedClicks } = await engine.stats();
    const answers: unknown[] = [rows, compactedClicks];
    for (const request of asked) answers.push(await engine.report(request));
    const nothing = { fromMs: FIRST_MS + 3 * DAY_MS, toMs: FIRST_MS + 4 * DAY_MS };
    answers.push(await engine.findOutside({ accountNo: 1, linkNo: null }, nothing));
    answers.push(await engine.linkTagsPosition());
    for (const segment of ["old-0-1-0", "old-0-2-0", "unknown"]) answers.push(await engine.checkpoint(segment));
    return answers;
  }

  test("reports are the same to the last digit, and both go on alike", async () => {
    const before = await onFile(answersOf);
    const steps = new Set<string>();
    const { tables } = await move({ onProgress: ({ step, table }) => steps.add(`${step} ${table}`) });
    expect(tables.map(({ name, rows }) => [name, rows > 0])).toEqual(movedTables.map(({ name }) => [name, true]));
    expect([...steps]).toEqual(["copying", "verifying"].flatMap((step) => tables.map(({ name }) => `${step} ${name}`)));
    expect(await onServer(answersOf)).toEqual(before);

    // Returning visitors on a day that was moved, late clicks of a day of counts, and clicks of a link that was erased.
    const goOn = async (engine: ClicksEngine) => {
      const parts = [partOf(filled.clicks.slice(400, 600), "node-0-3-0", 1)];
      const { clicks } = await engine.ingest({ parts });
      // What the journal still has, and is stored already.
      const again = await engine.ingest({ parts: [partOf(filled.clicks.slice(0, 9), "old-0-1-0", 501)] });
      await engine.setLinkTags([{ accountNo: 1, linkNo: 2, tags: ["new"] }], 11);
      return [clicks, again, await answersOf(engine, few)];
    };
    const [onOld, onNew] = [await onFile(goOn), await onServer(goOn)];
    expect(onNew).toEqual(onOld);
    expect((onOld as [number])[0]).toBeLessThan(200);
    const compact = async (engine: ClicksEngine) => {
      await engine.compact(FIRST_MS + 4 * DAY_MS);
      return answersOf(engine, few);
    };
    expect(await onServer(compact)).toEqual(await onFile(compact));
  });

  test("can be repeated until the switch: nothing is there twice, and the server follows the file", async () => {
    expect((await plan()).target.state).toBe("empty");
    expect(await server.ask(`select count() from system.databases where name = '${database}'`)).toBe("0");
    await move();
    expect((await plan()).target.state).toBe("moved before");
    const before = await onFile(async (engine) => {
      await engine.ingest({ parts: [partOf(filled.clicks.slice(600, 700), "old-0-2-0", 90)] });
      await engine.eraseLinks([{ accountNo: 1, linkNo: 2 }]);
      return answersOf(engine, few);
    });
    await move();
    expect(await onServer((engine) => answersOf(engine, few))).toEqual(before);
    // Both ended well, and say what they moved.
    expect(await server.ask("select countIf(state = 'finished'), uniqExact(no) from moves", database)).toBe("2\t2");
  });

  test("killed while it copies or compares, it leaves nothing that a node would count, and what arrives later never counts", async () => {
    const before = await onFile((engine) => answersOf(engine, few));
    for (const point of ["copying compacted_clicks", "verifying clicks"]) {
      const fixture = join(import.meta.dir, "fixtures", "move-clicks-until.ts");
      const args = [path, batchDirectory, `${server.origin}/${database}`, point, String(movePatienceMs)];
      await killAndWait(await startUntilThere(fixture, args, point));
      expect(await refusalOf(onServer((engine) => engine.stats()))).toContain("run it again");
      expect(await refusalOf(onServer((engine) => engine.checkpoint("old-0-1-0")))).toContain("run it again");
    }
    const killed = await server.ask("select max(no) from moves", database);
    await move();
    // An insert of the killed process that the server was slow with.
    await server.ask(
      `insert into clicks (at_ms, account_no, link_no, node, batch) values (${FIRST_MS + 5 * DAY_MS}, 1, 1, 'node', ${killed})`,
      database,
    );
    await server.ask(
      `insert into compacted_clicks (run, at_ms, account_no, link_no, clicks) values (${killed}, ${FIRST_MS}, 1, 1, 9)`,
      database,
    );
    expect(await onServer((engine) => answersOf(engine, few))).toEqual(before);
  });

  test("refuses to replace what others have written, unless it is told to", async () => {
    await move();
    const before = await onFile((engine) => answersOf(engine, few));
    expect(await refusalOf(move({ installation: "b" }))).toContain("another installation");
    // Its clicks would be gone: each data directory has only those of its own node.
    expect(await refusalOf(move({}, "other"))).toContain("that of the node node, and clicks of several nodes");
    await onServer((engine) => engine.ingest({ parts: [partOf(filled.clicks.slice(0, 9), "node-0-3-0", 1)] }));
    expect(await refusalOf(move())).toContain("was changed since the last move (in the table batches)");
    expect(await refusalOf(plan())).toContain("--discard");
    await move({ discards: true });
    expect(await onServer((engine) => answersOf(engine, few))).toEqual(before);
    await onServer((engine) => engine.eraseAccount(2));
    expect(await refusalOf(move())).toContain("in the table erased_accounts");
  });

  test("goes on when answers get lost, and nothing is there twice", async () => {
    let hasBegun = false;
    const lost = new Set<string>();
    const problems: string[] = [];
    const losing = relayClickHouse(server.origin, {
      // The server has done what it was asked to.
      loses({ query }) {
        hasBegun ||= query.startsWith("insert into moves");
        if (!hasBegun || lost.has(query)) return false;
        lost.add(query);
        return true;
      },
    });
    await move({ origin: losing.origin, onWait: (problem) => problems.push(problem) });
    await losing.stop();
    expect(lost.size).toBeGreaterThan(20);
    expect(problems).toHaveLength(lost.size);
    expect(await onServer((engine) => answersOf(engine, few))).toEqual(
      await onFile((engine) => answersOf(engine, few)),
    );
  });

  test("refuses a database with clicks that weren't moved there", async () => {
    await using(open("other"), (engine) => engine.ingest({ parts: [partOf(filled.clicks.slice(0, 9), "s", 1)] }));
    expect(await refusalOf(move({ discards: true }))).toContain("didn't get there by a move");
  });

  test("notices what a node adds meanwhile, and what is missing", async () => {
    const disturb = (query: string, sql: string) =>
      relayClickHouse(server.origin, {
        async before(statement) {
          if (statement.query.startsWith(query)) await server.ask(sql, database);
        },
      });
    const settling = "insert into tag_generations";
    const adding = disturb(
      settling,
      `insert into clicks (at_ms, account_no, link_no, node, batch) values (${FIRST_MS}, 1, 1, 'other', 5)`,
    );
    expect(await refusalOf(move({ origin: adding.origin }))).toContain("aren't those that were sent");
    await adding.stop();
    const losing = disturb(settling, "delete from compacted_visitors where link_no = 1");
    expect(await refusalOf(move())).toContain("was changed since the last move (in the table clicks)");
    const lost = await refusalOf(move({ origin: losing.origin, discards: true }));
    expect(lost).toContain("in the table compacted_visitors aren't those that were sent");
    await losing.stop();
    expect(await refusalOf(onServer((engine) => engine.stats()))).toContain("run it again");
    await move();
    expect(await onServer((engine) => answersOf(engine, few))).toEqual(
      await onFile((engine) => answersOf(engine, few)),
    );
  });
});
