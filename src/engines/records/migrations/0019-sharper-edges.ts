import type { Migration } from "./migration.ts";

const create = (number: string, text: string, strict: string): string => `
-- JSON with the owner's own pairs; null without any.
alter table links add column metadata ${text};
alter table deleted_links add column metadata ${text};

-- Links without tags, which few or many of an account may be.
create index links_untagged_idx on links (account_no, no) where tags = '[]';
-- Of all accounts: which links expire next.
create index links_expires_idx on links (expires_at, no) where expires_at is not null;

-- Up to which expiry, and which link of those that expire at once, webhooks have been told. One row.
create table expiry_mark (
  id ${number} not null primary key check (id = 1),
  at ${number} not null,
  link_no ${number} not null
)${strict};

-- What an account decided about a tag. Which tags there are, the tags of its links say.
create table tags (
  account_no ${number} not null references accounts (no) on delete cascade,
  -- In lower case, as in link_tags.
  tag ${text} not null,
  color ${text},
  primary key (account_no, tag)
)${strict};

-- Tags that are being renamed, or removed (no name), link by link.
create table tag_changes (
  account_no ${number} not null references accounts (no) on delete cascade,
  tag ${text} not null,
  name ${text},
  actor ${text} not null,
  via ${text} not null,
  started_at ${number} not null,
  -- The last link that was changed.
  after_no ${number} not null,
  primary key (account_no, tag)
)${strict};

-- Of a response other than the endpoint's usual one.
alter table idempotency_keys add column status ${number};
`;

// An address may be longer than PostgreSQL allows in an index, so there it is found by its hash.
export const sharperEdges: Migration = {
  id: 19,
  name: "sharper edges",
  sqlite: `${create("integer", "text", " strict")}
create index links_destination_idx on links (account_no, destination_url);
create index links_title_idx on links (account_no, state, coalesce(lower(title), ''));
`,
  postgres: `${create("bigint", 'text collate "C"', "")}
create index links_destination_idx on links (account_no, md5(destination_url), no);
create index links_title_idx on links (account_no, state, coalesce(lower(title), ''), no);
`,
  worksFrom: 13,
};
