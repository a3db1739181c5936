import { inTransaction } from "../session.ts";
import type { Migration } from "./migration.ts";

const VERSION = 4;

// As it was in this version, whatever becomes of the format later.
const SHARED_COLUMNS = `slot uinteger not null, account_no uinteger not null, link_no uinteger not null,
  bot boolean not null, qr boolean not null, place_no uinteger not null, client_no uinteger not null,
  referrer_no uinteger not null, campaign_no uinteger not null`;

/** Version 4: clicks that others have counted. */
export const importedCountsMigration: Migration = {
  version: VERSION,
  isUnfinished: async () => false,
  count: async () => ({ done: 0, total: 0 }),
  run: (session) =>
    inTransaction(session, "begin", async () => {
      await session.run(`create table imported_clicks (${SHARED_COLUMNS}, clicks uinteger not null,
        has_hour boolean not null, known uinteger not null, earlier uinteger not null, all_known uinteger not null)`);
      await session.run(`create table imported_visits (${SHARED_COLUMNS}, visitor ubigint, clicks uinteger not null)`);
      await session.run(`create table imported_visitors (day uinteger not null, account_no uinteger not null,
        link_no uinteger not null, with_bots boolean not null, clicks uinteger not null, visitors uinteger not null)`);
      await session.run(
        "create table imported_batches (account_no uinteger not null, import varchar not null, no uinteger not null)",
      );
      await session.run(`insert into schema_version values (${VERSION})`);
    }),
};
