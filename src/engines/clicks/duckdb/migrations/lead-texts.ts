import { inTransaction } from "../session.ts";
import type { Migration } from "./migration.ts";

const VERSION = 3;

/** Version 3: clicks know their link's domain and the rule that decided. Those before have neither, and aren't touched. */
export const leadTextsMigration: Migration = {
  version: VERSION,
  isUnfinished: async () => false,
  count: async () => ({ done: 0, total: 0 }),
  run: (session) =>
    inTransaction(session, "begin", async () => {
      await session.run("alter table campaigns add column domain varchar");
      await session.run("alter table campaigns add column rule varchar");
      await session.run(`insert into schema_version values (${VERSION})`);
    }),
};
