import type { Migration } from "./migration.ts";

export const clicks: Migration = {
  id: 3,
  name: "clicks",
  sqlite: `
-- How far the click counts of links have come in each journal segment.
create table click_positions (
  segment text not null primary key,
  position integer not null
) strict, without rowid;

-- Deleted links whose clicks are still to be erased from the clicks engine.
create table click_erasures (
  link_no integer not null primary key,
  account_no integer not null
) strict;
`,
};
