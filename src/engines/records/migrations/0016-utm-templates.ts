import type { Migration } from "./migration.ts";

const create = (number: string, text: string, strict: string): string => `
-- Sets of UTM parameters that an account gave names to; \`utm\` is JSON as in the API.
create table utm_templates (
  id ${text} not null primary key,
  account_no ${number} not null references accounts (no) on delete cascade,
  name ${text} not null,
  utm ${text} not null,
  unique (account_no, name)
)${strict};
`;

export const utmTemplates: Migration = {
  id: 16,
  name: "utm templates",
  sqlite: create("integer", "text", " strict"),
  postgres: create("bigint", 'text collate "C"', ""),
  worksFrom: 13,
};
