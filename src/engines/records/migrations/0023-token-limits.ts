import type { Migration } from "./migration.ts";

const create = (text: string): string => `
-- The token whose limit of requests this one counts against: the first of those that created one another. Null: its own.
alter table tokens add column counts_with ${text};
`;

export const tokenLimits: Migration = {
  id: 23,
  name: "limits that tokens share",
  sqlite: create("text"),
  postgres: create('text collate "C"'),
  worksFrom: 13,
};
