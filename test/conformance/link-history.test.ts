import { setDefaultTimeout } from "bun:test";
import { openTestPostgres } from "#test/support/test-postgres.ts";
import { openTestRecords } from "#test/support/test-records.ts";
import { linkHistoryConformance } from "./link-history.suite.ts";

setDefaultTimeout(3_600_000);

linkHistoryConformance("SQLite", Number(process.env.RUNS ?? 1000), async () => openTestRecords());

linkHistoryConformance("PostgreSQL", Number(process.env.RUNS ?? 40), async () => {
  const { nodes, close } = await openTestPostgres(1);
  return { records: nodes[0], close };
});
