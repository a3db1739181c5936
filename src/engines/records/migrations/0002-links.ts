import { accountMarkSql } from "../sqlite/text-index.ts";
import type { Migration } from "./migration.ts";

export const links: Migration = {
  id: 2,
  name: "links",
  sqlite: `
create table tokens (
  id text not null primary key,
  account_no integer not null references accounts (no) on delete cascade,
  name text not null,
  hash text not null,
  scopes text not null,
  rate_limit integer,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) strict;
create index tokens_account_idx on tokens (account_no, created_at);

create table links (
  no integer primary key autoincrement,
  id text not null unique,
  account_no integer not null references accounts (no) on delete cascade,
  slug text not null unique,
  destination_url text not null,
  title text,
  tags text not null,
  utm text not null,
  state text not null check (state in ('active', 'paused', 'archived')),
  state_before_archive text check (state_before_archive in ('active', 'paused')),
  expires_at integer,
  blocked_reason text,
  blocked_at integer,
  blocked_by text,
  click_count integer not null default 0,
  last_clicked_at integer not null default 0,
  created_via text not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  paused_at integer,
  archived_at integer,
  search_text text not null
) strict;

-- A page is read per state and merged: a thousand archived links never stand in the way of ten active ones.
create index links_created_idx on links (account_no, state, created_at);
create index links_updated_idx on links (account_no, state, updated_at);
create index links_clicks_idx on links (account_no, state, click_count);
create index links_clicked_idx on links (account_no, state, last_clicked_at);
create index links_blocked_idx on links (account_no, blocked_at) where blocked_at is not null;
create index links_expiry_idx on links (account_no, expires_at) where expires_at is not null;

create table link_tags (
  account_no integer not null,
  tag text not null,
  link_no integer not null references links (no) on delete cascade,
  primary key (account_no, tag, link_no)
) strict, without rowid;
create index link_tags_link_idx on link_tags (link_no);

create virtual table links_text using fts5 (
  account, text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = 'column'
);
-- Each new link adds a segment to the index. To merge eight at a time, instead of four, rewrites them less often.
insert into links_text (links_text, rank) values ('automerge', 8);
create trigger links_text_insert after insert on links begin
  insert into links_text (rowid, account, text) values (new.no, ${accountMarkSql("new.account_no")}, new.search_text);
end;
create trigger links_text_update after update of search_text on links when new.search_text <> old.search_text begin
  update links_text set account = ${accountMarkSql("new.account_no")}, text = new.search_text where rowid = new.no;
end;
create trigger links_text_delete after delete on links begin
  delete from links_text where rowid = old.no;
end;

create table tombstones (
  slug text not null primary key,
  deleted_at integer not null
) strict, without rowid;

create table changes (
  seq integer primary key autoincrement,
  slug text,
  at integer not null
) strict;

create table idempotency_keys (
  account_no integer not null references accounts (no) on delete cascade,
  operation text not null,
  key text not null,
  fingerprint text not null,
  response text not null,
  created_at integer not null,
  primary key (account_no, operation, key)
) strict, without rowid;
create index idempotency_keys_created_idx on idempotency_keys (created_at);

create table audit_log (
  no integer primary key autoincrement,
  at integer not null,
  account_no integer,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null
) strict;
create index audit_log_account_idx on audit_log (account_no, at);
`,
};
