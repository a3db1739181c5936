import type { Migration } from "./migration.ts";

export const accountLogos: Migration = {
  id: 5,
  name: "account logos",
  sqlite: `
-- What stands in the middle of an account's QR codes: a small PNG of our own writing.
create table account_logos (
  account_no integer not null primary key references accounts (no) on delete cascade,
  png blob not null,
  hash text not null,
  updated_at integer not null
) strict;
`,
};
