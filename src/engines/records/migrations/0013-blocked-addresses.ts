import type { Migration } from "./migration.ts";

const create = (text: string): string => `
-- JSON with the reason for each address of the domain that the operator blocks; null if there is none.
alter table domains add column blocked_urls ${text};
`;

export const blockedAddresses: Migration = {
  id: 13,
  name: "blocked addresses",
  sqlite: create("text"),
  postgres: create('text collate "C"'),
};
