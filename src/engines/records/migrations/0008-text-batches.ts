import { accountMarkSql } from "../sqlite/text-index.ts";
import type { Migration } from "./migration.ts";

export const textBatches: Migration = {
  id: 8,
  name: "text batches",
  sqlite: `
-- The last link that is in the text index. A search looks through those after it, until a batch of them joins the index.
create table text_index_reach (
  link_no integer not null
) strict;
insert into text_index_reach (link_no) select coalesce(max(no), 0) from links;

drop trigger links_text_insert;
drop trigger links_text_update;
drop trigger links_text_delete;
create trigger links_text_update after update of search_text on links
when new.search_text <> old.search_text and new.no <= (select link_no from text_index_reach) begin
  update links_text set account = ${accountMarkSql("new.account_no")}, text = new.search_text where rowid = new.no;
end;
create trigger links_text_delete after delete on links
when old.no <= (select link_no from text_index_reach) begin
  delete from links_text where rowid = old.no;
end;

-- Merged in small steps of our own, eight segments at a time: the index itself would do much at once within a change.
insert into links_text (links_text, rank) values ('automerge', 0), ('usermerge', 8);
`,
};
