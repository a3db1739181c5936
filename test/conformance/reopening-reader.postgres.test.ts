import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openPostgresRedirectReader } from "#engines/records/postgres/redirect-reader.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { createReopeningReader } from "#redirect/reopening-reader.ts";
import { ownKey } from "#test/support/own-key.ts";
import { type PostgresServer, sharedPostgres } from "#test/support/postgres-server.ts";
import { openTestPostgres, type TestPostgres } from "#test/support/test-postgres.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

let store: TestPostgres;
let server: PostgresServer;
let reader: RedirectReader | undefined;

beforeAll(async () => {
  store = await openTestPostgres(1);
  server = await sharedPostgres();
});
afterAll(async () => {
  await reader?.close();
  await store.close();
});

function openReader(name: string): RedirectReader {
  return createReopeningReader({
    open: async () => openPostgresRedirectReader({ url: `${store.url}?application_name=${name}`, readUrl: null }),
  });
}

/** Whether it was answered in time. */
async function lookUp(): Promise<boolean> {
  try {
    expect(await reader?.find(ownKey("nosuch"))).toBeNull();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(RecordsUnavailable);
    return false;
  }
}

async function processesOf(condition: string): Promise<number[]> {
  const { rows } = await server.administer(
    `select a.pid from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.granted
       and l.mode = 'AccessExclusiveLock' and l.relation = 'links'::regclass
     where a.datname = current_database() and a.pid <> pg_backend_pid() and ${condition} order by a.pid`,
    store.database,
  );
  return rows.map(({ pid }) => pid as number);
}

test("one look-up that takes too long doesn't cost the others their connections", async () => {
  let readers = 0;
  const connections = () => processesOf(`a.application_name = 'reader-${readers}'`);
  await until("four look-ups at once are answered", async () => {
    await reader?.close();
    readers += 1;
    reader = openReader(`reader-${readers}`);
    return (await Promise.all(Array.from({ length: 4 }, lookUp))).every(Boolean);
  });
  const before = await connections();
  expect(before.length).toBeGreaterThan(1);

  const held = server
    .administer("begin; lock table links in access exclusive mode; select pg_sleep(600)", store.database)
    .catch(() => {});
  await until("the table is locked", async () => (await processesOf("l.pid is not null")).length === 1);
  expect(await lookUp()).toBe(false);
  const [holder] = await processesOf("l.pid is not null");
  await server.administer(`select pg_terminate_backend(${holder})`);
  await held;

  // On a busy machine, further ones may take too long. Each of them costs its own connection.
  let tooLong = 1;
  await until("links are found again", async () => {
    if (await lookUp()) return true;
    tooLong += 1;
    return false;
  });
  const after = await connections();
  expect(before.filter((pid) => after.includes(pid)).length).toBeGreaterThanOrEqual(before.length - tooLong);
});
