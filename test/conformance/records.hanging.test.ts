import { describe, expect, setDefaultTimeout, test } from "bun:test";
import pg from "pg";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { openPostgresRedirectReader } from "#engines/records/postgres/redirect-reader.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ownKey } from "#test/support/own-key.ts";
import { startPgBouncer } from "#test/support/pgbouncer.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { startStallingProxy } from "#test/support/stalling-proxy.ts";
import { newTestDatabase } from "#test/support/test-postgres.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

// A turn in the queue, a connection and a transaction; several times that on a busy machine.
const ANSWER_MS_MAX = 90_000;
const WRITES = 6000;
const CONNECTIONS = 5;

/** A transaction without any statement wouldn't ask the server. */
const touch = async (tx: Sql): Promise<true> => {
  await tx.selectFrom("accounts").select("no").execute();
  return true;
};

test("while PostgreSQL hangs, writes neither wait without end nor pile up", async () => {
  const { url } = await newTestDatabase();
  const proxy = startStallingProxy((await sharedPostgres()).port);
  const records = openPostgresRecords({ url: url.replace(/:\d+\//, `:${proxy.port}/`) });
  await records.write(touch);
  proxy.stall();

  const write = (turn: number): Promise<unknown> =>
    records.write(touch, turn % 2 === 0 ? { queue: `account ${turn % 3}` } : {}).catch((error: unknown) => error);
  const startedAt = performance.now();
  const writes = Array.from({ length: WRITES }, (_, turn) => write(turn));
  // Those that find too many before them are refused first, before any that waits.
  expect(String(await Promise.race(writes))).toContain("too many");
  const answers = await Promise.all(writes);
  expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS_MAX);
  expect(answers.every((answer) => answer instanceof RecordsUnavailable)).toBe(true);
  expect(answers.filter((answer) => String(answer).includes("too many")).length).toBeGreaterThan(WRITES / 4);

  proxy.resume();
  await until("it is used again", () => records.write(touch, { queue: "account 0" }).catch(() => false));
  proxy.stall();
  await records.close();
  proxy.stop();
});

test("a node that is cut off in the middle of a write delays others, but doesn't make them fail", async () => {
  const { url } = await newTestDatabase();
  const proxy = startStallingProxy((await sharedPostgres()).port);
  const cutOff = openPostgresRecords({ url: url.replace(/:\d+\//, `:${proxy.port}/`) });
  const other = openPostgresRecords({ url });
  const place = { queue: "account 1" };
  const begun = Promise.withResolvers<void>();
  const interrupted = cutOff.write(async (tx) => {
    await tx.selectFrom("accounts").select("no").execute();
    proxy.stall();
    begun.resolve();
    await tx.selectFrom("accounts").select("no").execute();
  }, place);
  interrupted.catch(() => {});
  await begun.promise;
  const writes = Array.from({ length: 5 }, (_, turn) => other.write((tx) => touch(tx).then(() => turn), place));
  expect(await Promise.all(writes)).toEqual([0, 1, 2, 3, 4]);
  await expect(interrupted).rejects.toThrow(RecordsUnavailable);
  proxy.stop();
  await Promise.all([cutOff.close(), other.close()]);
});

describe("the server gives up a read that nobody waits for any more", () => {
  /** Statements of Kurz that are still waiting for a lock in that database. */
  const countWaiting = async (client: pg.Client, database: string): Promise<number> => {
    const { rows } = await client.query(
      "select count(*)::integer as count from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
      [database],
    );
    return rows[0].count;
  };

  /** Reads while another transaction has locked the table, so that no read gets an answer. */
  async function readLocked(url: string, direct: string, database: string): Promise<void> {
    const locker = new pg.Client(direct);
    await locker.connect();
    const records = openPostgresRecords({ url });
    const reader = openPostgresRedirectReader({ url, readUrl: null });
    try {
      await locker.query("begin; lock table accounts, links in access exclusive mode");
      const ended: string[] = [];
      const refusalOf = async (name: string, reading: Promise<unknown>): Promise<void> => {
        const [answer] = await Promise.allSettled([reading]);
        ended.push(name);
        expect(answer).toMatchObject({ status: "rejected", reason: expect.any(RecordsUnavailable) });
      };
      await Promise.all([
        refusalOf("scan", records.scan.selectFrom("accounts").select("no").execute()),
        refusalOf("read", records.read.selectFrom("accounts").select("no").execute()),
        refusalOf("look-up", reader.find(ownKey("slug"))),
      ]);
      expect(ended).toEqual(["look-up", "read", "scan"]);
      await until("none waits on the server", async () => (await countWaiting(locker, database)) === 0);
      await locker.query("commit");
      expect(await records.read.selectFrom("accounts").select("no").execute()).toEqual([]);
    } finally {
      await Promise.all([locker.end(), records.close(), reader.close()]);
    }
  }

  test("and look-ups of redirects first", async () => {
    const { url, database } = await newTestDatabase();
    await readLocked(url, url, database);
  });

  test.each([
    ["refuses", ""],
    ["ignores", "ignore_startup_parameters = statement_timeout"],
  ])("behind a pooler in transaction mode that %s settings of connections, too", async (_, settings) => {
    const { url, database } = await newTestDatabase();
    const pooler = await startPgBouncer(await sharedPostgres(), CONNECTIONS, settings);
    try {
      await readLocked(pooler.urlOf(database), url, database);
    } finally {
      await pooler.stop();
    }
  });
});
