import type { Database, SQLQueryBindings } from "bun:sqlite";
import { accountMarkSql } from "#engines/records/sqlite/text-index.ts";
import { newUlid } from "#kernel/ids.ts";
import { type AccountPlan, type LinkValues, linkRows } from "./link-rows.ts";

const LINK_COLUMNS = [
  "no",
  "id",
  "account_no",
  "key",
  "destination_url",
  "title",
  "tags",
  "utm",
  "state",
  "state_before_archive",
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "paused_at",
  "archived_at",
  "search_text",
];

type CountValues = readonly [clicks: number, lastAt: number, no: number];

// The text index writes a segment per statement, so many rows in one are several times cheaper.
const ROWS_PER_STATEMENT = 500;

/** Writes accounts and links directly, in one transaction. */
export function fillRecords(database: Database, accounts: readonly AccountPlan[]): void {
  database.transaction(() => {
    insertAccounts(database, accounts);
    const links: SQLQueryBindings[][] = [];
    const counts: CountValues[] = [];
    const tags: SQLQueryBindings[][] = [];
    let no = 0;
    for (const row of linkRows(accounts)) {
      no += 1;
      links.push(linkValues(no, row));
      if (row.click_count > 0) counts.push([row.click_count, row.created_at + 1000, no]);
      for (const tag of row.tags) tags.push([row.account_no, tag, no]);
      if (links.length === ROWS_PER_STATEMENT) insertLinks(database, links.splice(0), tags.splice(0));
    }
    insertLinks(database, links, tags);
    updateCounts(database, counts);
    fillTextIndex(database, no);
    database.run(
      "update accounts set active_links = (select count(*) from links where account_no = accounts.no and state = 'active')",
    );
  })();
}

function insertLinks(database: Database, links: SQLQueryBindings[][], tags: SQLQueryBindings[][]): void {
  insertRows(database, "links", LINK_COLUMNS, links);
  insertRows(database, "link_tags", ["account_no", "tag", "link_no"], tags);
}

/** The triggers have added a row for each link. */
function updateCounts(database: Database, counts: readonly CountValues[]): void {
  const update = database.prepare("update link_counts set click_count = ?, last_clicked_at = ? where link_no = ?");
  for (const values of counts) update.run(...values);
  update.finalize();
}

/** In batches, merged as far as the product would have merged them by then. */
function fillTextIndex(database: Database, lastNo: number): void {
  const insert = database.prepare(
    "insert into links_text (rowid, account, text) " +
      `select no, ${accountMarkSql("account_no")}, search_text from links where no > ? and no <= ?`,
  );
  for (let no = 0; no < lastNo; no += ROWS_PER_STATEMENT) insert.run(no, no + ROWS_PER_STATEMENT);
  insert.finalize();
  const changes = database.prepare<{ count: number }, []>("select total_changes() as count");
  const countChanges = (): number => changes.get()?.count ?? 0;
  for (let before = -1; countChanges() - before > 1; ) {
    before = countChanges();
    database.run("insert into links_text (links_text, rank) values ('merge', 10000)");
  }
  changes.finalize();
  database.run("update text_index_reach set link_no = ?", [lastNo]);
}

function insertAccounts(database: Database, accounts: readonly AccountPlan[]): void {
  const rows = accounts.map(({ no }) => {
    const id = `acc_${newUlid()}`;
    return [no, id, `Account ${no}`, id, new Date().toISOString(), "unlimited"];
  });
  insertRows(database, "accounts", ["no", "id", "name", "slug", "created_at", "plan_id"], rows);
}

function insertRows(database: Database, table: string, columns: readonly string[], rows: SQLQueryBindings[][]): void {
  const places = `(${columns.map(() => "?").join(", ")})`;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT);
    const statement = database.prepare(
      `insert into ${table} (${columns.join(", ")}) values ${some.map(() => places).join(", ")}`,
    );
    statement.run(...some.flat());
    statement.finalize();
  }
}

function linkValues(no: number, row: LinkValues): SQLQueryBindings[] {
  return [
    no,
    row.id,
    row.account_no,
    row.slug,
    row.destination_url,
    row.title,
    JSON.stringify(row.tags),
    "{}",
    row.state,
    row.state === "archived" ? "active" : null,
    "api",
    1,
    row.created_at,
    row.created_at,
    row.state === "paused" ? row.created_at : null,
    row.state === "archived" ? row.created_at : null,
    row.search_text,
  ];
}
