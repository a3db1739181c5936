import type { Migration } from "./migration.ts";

// Both logs are read by number, newest first. SQLite has it at the end of every index, PostgreSQL only where it is named.
// In the order in which changes write to them, or the two could wait for each other.
export const auditIndexes: Migration = {
  id: 17,
  name: "audit indexes",
  sqlite: `
create index audit_log_page_idx on audit_log (account_no);
-- The changes of one link, for its history and the marks in its report.
create index link_audit_link_idx on link_audit (account_no, link_id);
`,
  postgres: `
create index audit_log_page_idx on audit_log (account_no, no);
create index link_audit_page_idx on link_audit (account_no, no);
create index link_audit_link_idx on link_audit (account_no, link_id, no);
`,
  worksFrom: 13,
};
