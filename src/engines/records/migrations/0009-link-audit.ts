import type { Migration } from "./migration.ts";

export const linkAudit: Migration = {
  id: 9,
  name: "link audit",
  sqlite: `
-- Who changed which link. Apart from the audit log, which is small and kept for good: these are many and kept for a while.
create table link_audit (
  no integer primary key,
  at integer not null,
  account_no integer not null,
  link_id text not null,
  slug text not null,
  actor text not null,
  via text not null,
  action text not null,
  -- The names of the fields that an update changed; never their values, which go with the link.
  fields text not null
) strict;
create index link_audit_account_idx on link_audit (account_no);
`,
};
