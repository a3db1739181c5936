import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { openClickHouseClicks } from "#engines/clicks/clickhouse/clickhouse-clicks.ts";
import type { ClicksEngine, Report } from "#engines/clicks/clicks-engine.ts";
import { openClicks } from "#engines/open-engines.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { readMoveNote } from "#runtime/moved-data.ts";
import { readNodeName } from "#runtime/node-name.ts";
import {
  type ClickHouseServer,
  describeWithClickHouse,
  movePatienceMs,
  startClickHouseServer,
} from "#test/support/clickhouse-server.ts";
import { kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(3 * movePatienceMs);

const CLICKS = 500;
const STORED_LATER = 7;
const WAITING = 5;

describeWithClickHouse("moving clicks later than records", () => {
  const dataDir = newDataDir();
  const paths = dataPaths(dataDir);
  const kurz = kurzHere(dataDir);
  const file = join(dirname(dataDir), "next.env");
  const embedded = { KURZ_SECRET_KEY: "a secret key that is long enough" };
  let clickhouse: ClickHouseServer;
  let onPostgres: { readonly DATABASE_URL: string; readonly KURZ_SECRET_KEY: string };
  let onBoth: typeof onPostgres & { readonly CLICKHOUSE_URL: string };

  beforeAll(async () => {
    clickhouse = await startClickHouseServer();
    await clickhouse.ask("select 1");
    const postgres = await sharedPostgres();
    onPostgres = { ...embedded, DATABASE_URL: postgres.urlOf(await postgres.newDatabase()) };
    onBoth = { ...onPostgres, CLICKHOUSE_URL: `${clickhouse.origin}/kurz` };
    migrateSqlite(paths.records);
  });
  afterAll(async () => {
    await clickhouse?.stop();
    rmSync(dirname(dataDir), { recursive: true });
  });

  async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const { exitCode, out, err } = await kurz(args, { env });
    expect({ args, exitCode, err }).toEqual({ args, exitCode: 0, err: expect.any(String) });
    return out;
  }

  async function leaveClicks(times: number): Promise<void> {
    const records = new Database(paths.records, { readonly: true });
    const { id } = records.query("select id from links where no = 1").get() as { id: string };
    records.close();
    await leavePastClicks({ dataDir }, [{ link: id, at: new Date(), times }]);
  }

  async function reportOf(engine: ClicksEngine): Promise<Report> {
    try {
      return await engine.report({
        ...{ accountNo: 1, linkNo: null, fromMs: 0, toMs: Date.now() + 1, bucketStartsMs: [0], filters: {} },
        ...{ includeBots: false, groupBy: ["link"], limit: 100, breakdownVisitors: true, previous: null },
      });
    } finally {
      await engine.close();
    }
  }
  const reportOfFile = async () =>
    reportOf(await openClicks({ path: paths.clicks, batchDirectory: paths.clickBatches }));
  const reportOfServer = async () =>
    reportOf(
      openClickHouseClicks({
        ...{ url: onBoth.CLICKHOUSE_URL, node: readNodeName(loadConfig({ KURZ_DATA_DIR: dataDir, ...onBoth })) },
        ...{ reportTimeoutMs: movePatienceMs, ingestTimeoutMs: movePatienceMs, statementTimeoutMs: movePatienceMs },
      }),
    );

  test("every click counts once, and the records stay as they are", async () => {
    await run(["clicks", "generate", "--links", "5", "--clicks", String(CLICKS), "--days", "9"], embedded);
    writeFileSync(file, `DATABASE_URL="${onPostgres.DATABASE_URL}"\n`);
    await run(["move", "--to", file], embedded);
    await leaveClicks(STORED_LATER);
    expect(await run(["clicks", "ingest"], onPostgres)).toContain(`Stored ${STORED_LATER} clicks.`);
    await leaveClicks(WAITING);
    const before = await reportOfFile();
    expect(before.totals.clicks).toBe(CLICKS + STORED_LATER);
    const ofRecords = readMoveNote(paths);

    writeFileSync(file, `CLICKHOUSE_URL="${onBoth.CLICKHOUSE_URL}"\n`);
    const planned = await run(["move", "--to", file, "--dry-run"], onPostgres);
    // Those of bots, too.
    const count = Number(/^A move would copy (\d+) clicks/.exec(planned)?.[1]);
    expect(count).toBeGreaterThanOrEqual(CLICKS + STORED_LATER);
    expect(readMoveNote(paths)).toEqual(ofRecords);
    for (const _ of ["first", "again"]) {
      const out = await run(["move", "--to", file], onPostgres);
      expect(out).toContain(`Copied ${count} clicks`);
      expect(out).toContain('database "kurz": each day has the same count and checksum there.');
    }
    expect(readMoveNote(paths)).toMatchObject({
      ...{
        installation: ofRecords?.installation,
        records_to: ofRecords?.records_to,
        used_since: ofRecords?.used_since,
      },
      ...{ clicks_to: expect.stringContaining("ClickHouse at"), is_complete: true, clicks_used_since: null },
    });
    expect(await reportOfServer()).toEqual(before);
    // Until the switch, everything can go on as before, but then the copy lacks what was stored meanwhile.
    expect(await run(["clicks", "ingest"], onPostgres)).toContain(`Stored ${WAITING} clicks.`);
    const early = await kurz(["clicks", "ingest"], { env: onBoth });
    expect([early.exitCode, early.err]).toEqual([1, expect.stringContaining("run kurz move again")]);
    await run(["move", "--to", file], onPostgres);
    await leaveClicks(WAITING);

    // A server under an emulator is often too slow for the limits of a node, which then tries again.
    const ingested = async () => (await kurz(["clicks", "ingest"], { env: onBoth })).exitCode === 0;
    await until("the journal is stored", ingested, movePatienceMs);
    expect((await reportOfServer()).totals.clicks).toBe(CLICKS + STORED_LATER + WAITING + WAITING);
    const back = await kurz(["accounts", "list"], { env: onPostgres });
    expect([back.exitCode, back.err]).toEqual([1, expect.stringContaining("set CLICKHOUSE_URL, or")]);
    const again = await kurz(["move", "--to", file], { env: onPostgres });
    expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining("was changed since the last move")]);
  });
});
