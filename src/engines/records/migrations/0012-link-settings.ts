import type { Migration } from "./migration.ts";

const create = (number: string, text: string): string => `
-- JSON with what differs from a plain link, such as rules; null for a plain one, as most are.
alter table links add column settings ${text};
alter table links add column password_hash ${text};
-- The caller's own key.
alter table links add column external_id ${text};
alter table links add column notes ${text};
create unique index links_external_idx on links (account_no, external_id) where external_id is not null;

-- How many clicks of its max_clicks a link has used up.
alter table link_counts add column used_clicks ${number} not null default 0;
`;

export const linkSettings: Migration = {
  id: 12,
  name: "link settings",
  sqlite: create("integer", "text"),
  postgres: create("bigint", 'text collate "C"'),
};
