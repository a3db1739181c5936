import type { Migration } from "./migration.ts";

/** What console sign-in needs beyond the library's first tables. */
export const console: Migration = {
  id: 6,
  name: "console",
  sqlite: `
create table passkeys (
  id text not null primary key,
  name text,
  public_key text not null,
  user_id text not null references users (id) on delete cascade,
  credential_id text not null,
  counter integer not null,
  device_type text not null,
  backed_up integer not null,
  transports text,
  created_at date,
  aaguid text
);
create index passkeys_user_id_idx on passkeys (user_id);
create unique index passkeys_credential_id_idx on passkeys (credential_id);

-- Until when dangerous things need no password again, in Unix milliseconds.
alter table sessions add column sudo_until integer;
-- Since when an account is being removed: its links go in batches, and then the account itself.
alter table accounts add column removed_at integer;
create index accounts_removed_idx on accounts (removed_at) where removed_at is not null;
-- The 30-second step of the last code that was used: none is taken twice.
alter table two_factors add column last_step integer;
`,
};
