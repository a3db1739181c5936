import type { Database } from "bun:sqlite";
import { newUlid } from "#kernel/ids.ts";
import { type AccountPlan, type LinkValues, linkRows } from "./link-rows.ts";

const LINK_COLUMNS = [
  "id",
  "account_no",
  "slug",
  "destination_url",
  "title",
  "tags",
  "utm",
  "state",
  "state_before_archive",
  "click_count",
  "last_clicked_at",
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "paused_at",
  "archived_at",
  "search_text",
];

/** Writes accounts and links past the product, in one transaction; the triggers fill the text index. */
export function fillRecords(database: Database, accounts: readonly AccountPlan[]): LinkValues[] {
  const rows: LinkValues[] = [];
  database.transaction(() => {
    insertAccounts(database, accounts);
    const insertLink = database.prepare(
      `insert into links (${LINK_COLUMNS.join(", ")}) values (${LINK_COLUMNS.map(() => "?").join(", ")})`,
    );
    const insertTag = database.prepare("insert into link_tags (account_no, tag, link_no) values (?, ?, ?)");
    for (const row of linkRows(accounts)) {
      const { lastInsertRowid } = insertLink.run(...valuesOf(row));
      for (const tag of row.tags) insertTag.run(row.account_no, tag, lastInsertRowid);
      rows.push(row);
    }
    insertLink.finalize();
    insertTag.finalize();
    database.run(
      "update accounts set active_links = (select count(*) from links where account_no = accounts.no and state = 'active')",
    );
  })();
  return rows;
}

function insertAccounts(database: Database, accounts: readonly AccountPlan[]): void {
  const insert = database.prepare(
    "insert into accounts (no, id, name, slug, created_at, plan_id) values (?, ?, ?, ?, ?, 'unlimited')",
  );
  for (const { no } of accounts) {
    const id = `acc_${newUlid()}`;
    insert.run(no, id, `Account ${no}`, id, new Date().toISOString());
  }
  insert.finalize();
}

function valuesOf(row: LinkValues): (string | number | null)[] {
  return [
    row.id,
    row.account_no,
    row.slug,
    row.destination_url,
    row.title,
    JSON.stringify(row.tags),
    "{}",
    row.state,
    row.state === "archived" ? "active" : null,
    row.click_count,
    row.click_count > 0 ? row.created_at + 1000 : 0,
    "api",
    1,
    row.created_at,
    row.created_at,
    row.state === "paused" ? row.created_at : null,
    row.state === "archived" ? row.created_at : null,
    row.search_text,
  ];
}
