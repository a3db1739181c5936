import { setDefaultTimeout } from "bun:test";
import { openTestPostgres } from "#test/support/test-postgres.ts";
import { openTestRecords } from "#test/support/test-records.ts";
import { linkHistoryConformance } from "./link-history.suite.ts";

setDefaultTimeout(600_000);

linkHistoryConformance("SQLite", 1000, async () => openTestRecords());

linkHistoryConformance("PostgreSQL", 40, async () => {
  const { nodes, close } = await openTestPostgres(1);
  return { records: nodes[0], close };
});
