import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { ClicksUnavailable } from "#engines/clicks/clicks-engine.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { openServices } from "#runtime/services.ts";
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

const KEY = "a secret key that is long enough";
const CLICKS = 2000;
const WAITING = 7;

describeWithClickHouse("moving a deployment to PostgreSQL and ClickHouse", () => {
  const dataDir = newDataDir();
  const paths = dataPaths(dataDir);
  const kurz = kurzHere(dataDir);
  const file = join(dirname(dataDir), "next.env");
  let clickhouse: ClickHouseServer;
  let servers: { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string; readonly KURZ_SECRET_KEY: string };

  beforeAll(async () => {
    clickhouse = await startClickHouseServer();
    await clickhouse.ask("select 1");
    const postgres = await sharedPostgres();
    servers = {
      DATABASE_URL: postgres.urlOf(await postgres.newDatabase()),
      CLICKHOUSE_URL: `${clickhouse.origin}/kurz`,
      KURZ_SECRET_KEY: KEY,
    };
    const lines = Object.entries(servers).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(file, lines.join(""));
    migrateSqlite(paths.records);
  });
  afterAll(async () => {
    await clickhouse?.stop();
    rmSync(dirname(dataDir), { recursive: true });
  });

  const run = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> => {
    const { exitCode, out, err } = await kurz(args, { env });
    expect({ args, exitCode, err }).toEqual({ args, exitCode: 0, err: expect.any(String) });
    return out;
  };

  /** A server under an emulator is often too slow for the limits of a node, which then has no reports for a moment. */
  async function reportedOnServers(): Promise<Awaited<ReturnType<typeof reportedIn>>> {
    let report: Awaited<ReturnType<typeof reportedIn>> | undefined;
    await until(
      "there is a report",
      async () => {
        try {
          report = await reportedIn(servers);
        } catch (error) {
          if (!(error instanceof ClicksUnavailable)) throw error;
        }
        return report !== undefined;
      },
      movePatienceMs,
    );
    return report as Awaited<ReturnType<typeof reportedIn>>;
  }

  async function reportedIn(env: Readonly<Record<string, string>>) {
    const services = await openServices({ config: loadConfig({ KURZ_DATA_DIR: dataDir, ...env }), paths });
    try {
      return await services.clicks.report({
        ...{ accountNo: 1, linkNo: null, fromMs: 0, toMs: Date.now() + 1, bucketStartsMs: [0], filters: {} },
        ...{ includeBots: false, groupBy: ["link"], limit: 100, breakdownVisitors: true, previous: null },
      });
    } finally {
      await services.close();
    }
  }

  test("every click counts once, those that wait in the journal included", async () => {
    const own = { KURZ_SECRET_KEY: KEY };
    await run(["clicks", "generate", "--links", "20", "--clicks", String(CLICKS), "--days", "9"], own);
    const before = await reportedIn(own);
    expect(before.totals.clicks).toBe(CLICKS);
    const records = new Database(paths.records, { readonly: true });
    const { id } = records.query("select id from links where no = 1").get() as { id: string };
    records.close();
    await leavePastClicks({ dataDir }, [{ link: id, at: new Date(), times: WAITING }]);

    expect(await run(["move", "--to", file, "--dry-run"], own)).toContain("It would also copy");
    expect(existsSync(paths.moved)).toBe(false);
    for (const _ of ["first", "again"]) {
      const out = await run(["move", "--to", file], own);
      expect(out).toContain('database "kurz": each day has the same count and checksum there.');
    }
    expect(readdirSync(paths.journal)).toHaveLength(1);
    expect(await reportedOnServers()).toEqual(before);

    const ingested = async () => (await kurz(["clicks", "ingest"], { env: servers })).exitCode === 0;
    await until("the journal is stored", ingested, movePatienceMs);
    expect((await reportedOnServers()).totals.clicks).toBe(CLICKS + WAITING);
    const client = new pg.Client(servers.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query("select sum(click_count)::integer as sum from link_counts");
    await client.end();
    expect(rows).toEqual([{ sum: CLICKS + WAITING }]);
    expect(readdirSync(paths.journal)).toEqual([]);
    // From here on, another move would undo that.
    const again = await kurz(["move", "--to", file], { env: own });
    expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining("was changed since the last move")]);
  });
});
