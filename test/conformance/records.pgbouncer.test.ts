import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { openPostgresRedirectReader } from "#engines/records/postgres/redirect-reader.ts";
import { inspectPostgres } from "#engines/records/postgres/server-facts.ts";
import { ownKey } from "#test/support/own-key.ts";
import { type PgBouncer, startPgBouncer } from "#test/support/pgbouncer.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestDatabase } from "#test/support/test-postgres.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { recordsConformance } from "./records.suite.ts";

setDefaultTimeout(600_000);

// Fewer than a node has: its connections really share those of the pooler.
const CONNECTIONS = 5;

let pooler: PgBouncer;

beforeAll(async () => {
  pooler = await startPgBouncer(await sharedPostgres(), CONNECTIONS);
});
afterAll(() => pooler.stop());

recordsConformance("PostgreSQL behind PgBouncer in transaction mode", async (onActionError) => {
  const { database } = await newTestDatabase();
  const records = openPostgresRecords({ url: pooler.urlOf(database), onActionError });
  return { records, close: () => records.close() };
});

test("nodes and redirect processes that share its connections disturb nobody", async () => {
  const { database } = await newTestDatabase();
  const url = pooler.urlOf(database);
  const nodes = Array.from({ length: 3 }, () => openPostgresRecords({ url }));
  const reader = openPostgresRedirectReader({ url, readUrl: url });
  const [first] = nodes as [(typeof nodes)[0]];
  const callers = await Promise.all(Array.from({ length: 4 }, () => newTestCaller(first)));
  const links = await Promise.all(
    Array.from({ length: 60 }, async (_, turn) => {
      const node = nodes[turn % nodes.length] ?? first;
      const caller = callers[turn % callers.length] ?? (await newTestCaller(first));
      const link = await createTestLink(testLinkService(node), caller);
      expect(await reader.find(ownKey(link.slug))).toMatchObject({ destination_url: link.destination_url });
      return ownKey(link.slug);
    }),
  );
  const changes = await reader.changesSince(0);
  if (changes === "gap") throw new Error("the log has a gap");
  expect(changes.map(({ key }) => key).toSorted()).toEqual(links.toSorted());
  await Promise.all([...nodes.map((node) => node.close()), reader.close()]);
});

test("doctor doesn't take its connections for the server's", async () => {
  const { database, url } = await newTestDatabase();
  const connections = async (place: string) => (await inspectPostgres({ url: place, readUrl: null }, 2)).connections;
  expect(await connections(url)).toMatchObject({ perNode: 48 });
  expect(await connections(pooler.urlOf(database))).toBeNull();
});
