import type { Migration } from "./migration.ts";

const create = `
-- The changes of one link, for its history and the marks in its report. Every index has the row's number at its end.
create index link_audit_link_idx on link_audit (account_no, link_id);
`;

export const linkAuditByLink: Migration = {
  id: 17,
  name: "link audit by link",
  sqlite: create,
  postgres: create.replace("link_id)", "link_id, no)"),
  worksFrom: 13,
};
