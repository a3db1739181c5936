import { openTestRecords } from "#test/support/test-records.ts";
import { concurrencyConformance } from "./records.concurrency.suite.ts";
import { recordsConformance } from "./records.suite.ts";

recordsConformance("SQLite", async (onActionError) => openTestRecords({ onActionError }));

// One process writes to the file, in one queue.
concurrencyConformance("SQLite", async () => {
  const { records, close } = openTestRecords();
  return { nodes: [records], close };
});
