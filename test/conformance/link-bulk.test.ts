import { setDefaultTimeout } from "bun:test";
import { openTestPostgres } from "#test/support/test-postgres.ts";
import { openTestRecords } from "#test/support/test-records.ts";
import { linkBulkConformance } from "./link-bulk.suite.ts";

setDefaultTimeout(600_000);

linkBulkConformance("SQLite", Number(process.env.RUNS ?? 60), async () => openTestRecords());

linkBulkConformance("PostgreSQL", Number(process.env.RUNS ?? 15), async () => {
  const { nodes, close } = await openTestPostgres(1);
  return { records: nodes[0], close };
});
