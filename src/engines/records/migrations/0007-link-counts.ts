import type { Migration } from "./migration.ts";

/** Click counts have their own table: many narrow rows share a page, so far fewer pages are written. */
export const linkCounts: Migration = {
  id: 7,
  name: "link counts",
  sqlite: `
create table link_counts (
  link_no integer primary key references links (no) on delete cascade,
  account_no integer not null,
  -- Where the link's state stands among active, paused and archived.
  state_no integer not null,
  click_count integer not null default 0,
  last_clicked_at integer not null default 0
) strict;
insert into link_counts
  select no, account_no, case state when 'active' then 0 when 'paused' then 1 else 2 end, click_count, last_clicked_at
  from links order by no;
create index link_counts_clicks_idx on link_counts (account_no, state_no, click_count);
create index link_counts_clicked_idx on link_counts (account_no, state_no, last_clicked_at);

drop index links_clicks_idx;
drop index links_clicked_idx;
alter table links drop column click_count;
alter table links drop column last_clicked_at;

create trigger link_counts_insert after insert on links begin
  insert into link_counts (link_no, account_no, state_no)
    values (new.no, new.account_no, case new.state when 'active' then 0 when 'paused' then 1 else 2 end);
end;
create trigger link_counts_state after update of state on links when new.state <> old.state begin
  update link_counts set state_no = case new.state when 'active' then 0 when 'paused' then 1 else 2 end
    where link_no = new.no;
end;

-- What a batch of clicks adds to links and is not added yet: rows of link, clicks and time, as JSON.
create table link_count_runs (
  no integer primary key,
  rows text not null
) strict;
`,
};
