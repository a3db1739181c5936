import { accountMarkSql } from "../sqlite/text-index.ts";
import type { Migration } from "./migration.ts";

const create = (number: string, text: string): string => `
-- The trash: what links and link_counts had of a deleted link. Its own table, so that no query of links meets them.
create table deleted_links (
  no ${number} primary key,
  id ${text} not null unique,
  account_no ${number} not null references accounts (no) on delete cascade,
  key ${text} not null unique,
  domain_no ${number} not null,
  domain_name ${text},
  destination_url ${text} not null,
  title ${text},
  tags ${text} not null,
  utm ${text} not null,
  -- As it was before.
  state ${text} not null check (state in ('active', 'paused', 'archived')),
  state_before_archive ${text} check (state_before_archive in ('active', 'paused')),
  expires_at ${number},
  blocked_reason ${text},
  blocked_at ${number},
  blocked_by ${text},
  created_via ${text} not null,
  version ${number} not null,
  created_at ${number} not null,
  updated_at ${number} not null,
  paused_at ${number},
  archived_at ${number},
  search_text ${text} not null,
  settings ${text},
  password_hash ${text},
  external_id ${text},
  notes ${text},
  click_count ${number} not null,
  last_clicked_at ${number} not null,
  used_clicks ${number} not null,
  deleted_at ${number} not null,
  -- As tags, in lower case.
  folded_tags ${text} not null
)`;

const indexes = `
create index deleted_links_created_idx on deleted_links (account_no, created_at, no);
create index deleted_links_updated_idx on deleted_links (account_no, updated_at, no);
create index deleted_links_deleted_idx on deleted_links (deleted_at);
create index deleted_links_domain_idx on deleted_links (domain_no) where domain_no <> 0;
`;

export const trash: Migration = {
  id: 14,
  name: "trash",
  sqlite: `${create("integer", "text")} strict;
${indexes}
-- A new link joins the text index in a batch. A restored one has an old number, which the batches have passed.
create trigger links_text_restore after insert on links
when new.no <= (select link_no from text_index_reach) begin
  insert into links_text (rowid, account, text) values (new.no, ${accountMarkSql("new.account_no")}, new.search_text);
end;
`,
  postgres: `${create("bigint", 'text collate "C"')};
${indexes}`,
  worksFrom: 13,
};
