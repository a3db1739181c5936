import type { Migration } from "./migration.ts";

const create = (number: string, text: string, strict: string): string => `
-- Public reports of links.
create table shares (
  id ${text} not null primary key,
  link_no ${number} not null,
  account_no ${number} not null references accounts (no) on delete cascade,
  -- The last part of its address.
  token ${text} not null unique,
  password_hash ${text},
  min_visitors ${number} not null,
  timezone ${text} not null,
  expires_at ${number},
  created_at ${number} not null
)${strict};
create index shares_link_idx on shares (link_no);
create index shares_account_idx on shares (account_no, id);
`;

export const shares: Migration = {
  id: 21,
  name: "shares",
  sqlite: `${create("integer", "text", " strict")}
-- Erased with the link, but not while it is in the trash: it is there before it leaves links, and the other way round.
create trigger shares_of_links after delete on links
when not exists (select 1 from deleted_links where no = old.no) begin
  delete from shares where link_no = old.no;
end;
create trigger shares_of_trash after delete on deleted_links
when not exists (select 1 from links where no = old.no) begin
  delete from shares where link_no = old.no;
end;
`,
  postgres: `${create("bigint", 'text collate "C"', "")}
-- Erased with the link, but not while it is in the trash: it is there before it leaves links, and the other way round.
create function delete_shares () returns trigger language plpgsql as $$ begin
  if not exists (select from links where no = old.no) and not exists (select from deleted_links where no = old.no) then
    delete from shares where link_no = old.no;
  end if;
  return null;
end $$;
create trigger shares_of_links after delete on links for each row execute function delete_shares();
create trigger shares_of_trash after delete on deleted_links for each row execute function delete_shares();
`,
  worksFrom: 13,
};
