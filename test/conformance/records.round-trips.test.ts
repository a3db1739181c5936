import { expect, setDefaultTimeout, test } from "bun:test";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { startStallingProxy } from "#test/support/stalling-proxy.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestDatabase } from "#test/support/test-postgres.ts";
import { newTestCaller } from "#test/support/test-records.ts";

setDefaultTimeout(600_000);

test("a new link takes four round trips to PostgreSQL, however many tags it has", async () => {
  const { url } = await newTestDatabase();
  const proxy = startStallingProxy((await sharedPostgres()).port);
  const records = openPostgresRecords({ url: url.replace(/:\d+\//, `:${proxy.port}/`) });
  try {
    // As its token says, the account has no domain.
    const caller = { ...(await newTestCaller(records)), hasNoDomains: true };
    const links = testLinkService(records);
    // The first one opens the connection.
    await createTestLink(links, caller);
    const before = proxy.roundTrips;
    await createTestLink(links, caller, { title: "A title", tags: ["one", "two", "three"] });
    // Begin and insert, all that follows from it, commit, and numbering the change.
    expect(proxy.roundTrips - before).toBe(4);
  } finally {
    await records.close();
    proxy.stop();
  }
});

test("a write without any statement takes none", async () => {
  const { url } = await newTestDatabase();
  const proxy = startStallingProxy((await sharedPostgres()).port);
  const records = openPostgresRecords({ url: url.replace(/:\d+\//, `:${proxy.port}/`) });
  try {
    await newTestCaller(records);
    const before = proxy.roundTrips;
    expect(await records.write(async () => "done", { queue: "account 1" })).toBe("done");
    expect(proxy.roundTrips).toBe(before);
  } finally {
    await records.close();
    proxy.stop();
  }
});
