import type { Migration } from "./migration.ts";

const create = (number: string, text: string): string => `
-- Whether people must have signed in with the operator's provider to work in it.
alter table accounts add column sso_required ${number} not null default 0;
-- How the person has proven who they are; null for sessions from before.
alter table sessions add column signed_in_by ${text};
-- A subject of a provider is one user, even if two of its sign-ins arrive at the same moment.
create unique index credentials_provider_idx on credentials (provider_id, provider_account_id);
`;

export const singleSignOn: Migration = {
  id: 22,
  name: "single sign-on",
  sqlite: create("integer", "text"),
  postgres: create("bigint", 'text collate "C"'),
  worksFrom: 13,
};
