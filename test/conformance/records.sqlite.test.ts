import { openTestRecords } from "#test/support/test-records.ts";
import { recordsConformance } from "./records.suite.ts";

recordsConformance("SQLite", async () => openTestRecords());
