import type { Migration } from "./migration.ts";

const create = (number: string, text: string): string => `
-- One row per change of a link, from the second version on: the first one, and the one that links had before this table,
-- follow from what later changes replaced.
create table link_versions (
  link_no ${number} not null,
  version ${number} not null,
  at ${number} not null,
  actor ${text} not null,
  via ${text} not null,
  action ${text} not null,
  reverted_to ${number},
  -- JSON, as the API shows links: the fields that changed. Now and then, "before" has all fields.
  before ${text} not null,
  after ${text} not null,
  primary key (link_no, version)
)`;

const createdBy = (text: string): string => `
-- Who created it; null if that was before this column.
alter table links add column created_by ${text};
alter table deleted_links add column created_by ${text};
`;

export const linkHistory: Migration = {
  id: 18,
  name: "link history",
  sqlite: `${create("integer", "text")} strict, without rowid;
${createdBy("text")}
-- Erased with the link, but not while it is in the trash: it is there before it leaves links, and the other way round.
create trigger link_versions_of_links after delete on links
when not exists (select 1 from deleted_links where no = old.no) begin
  delete from link_versions where link_no = old.no;
end;
create trigger link_versions_of_trash after delete on deleted_links
when not exists (select 1 from links where no = old.no) begin
  delete from link_versions where link_no = old.no;
end;
`,
  postgres: `${create("bigint", 'text collate "C"')};
${createdBy('text collate "C"')}
-- Erased with the link, but not while it is in the trash: it is there before it leaves links, and the other way round.
create function delete_link_versions () returns trigger language plpgsql as $$ begin
  if not exists (select from links where no = old.no) and not exists (select from deleted_links where no = old.no) then
    delete from link_versions where link_no = old.no;
  end if;
  return null;
end $$;
create trigger link_versions_of_links after delete on links for each row execute function delete_link_versions();
create trigger link_versions_of_trash after delete on deleted_links for each row
  execute function delete_link_versions();
`,
  worksFrom: 13,
};
