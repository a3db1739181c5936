import { Database as Sqlite } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { liveStates } from "#contract/link-record.ts";
import { migrations } from "../migrations/all.ts";
import type { Database } from "../schema.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqliteRecords } from "./sqlite-records.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-migrate-"));
afterAll(() => rmSync(root, { recursive: true }));

let files = 0;
const newPath = (): string => join(root, `${++files}.db`);

const newest = migrations.at(-1)?.id ?? 0;
const namesAfter = (last: number): string[] => migrations.filter(({ id }) => id > last).map(({ name }) => name);

/** The compiler checks this list against the schema types, the test against the migrated tables. */
const columns: { readonly [T in keyof Database]: Readonly<Record<keyof Database[T], true>> } = {
  accounts: all(
    "no id name slug logo metadata created_at plan_id suspended_at removed_at active_links domains webhook_endpoints " +
      "qr_design sso_required",
  ),
  users: all("id name email email_verified image two_factor_enabled created_at updated_at"),
  credentials: all("id provider_account_id provider_id user_id password created_at updated_at"),
  members: all("id account_id user_id role created_at"),
  invitations: all("id account_id email role status expires_at created_at inviter_id"),
  sessions: all("id user_id token user_agent created_at updated_at expires_at sudo_until signed_in_by"),
  verifications: all("id identifier value expires_at created_at updated_at"),
  two_factors: all("id secret backup_codes user_id verified last_step"),
  passkeys: all("id name user_id created_at"),
  tokens: all("id account_no name hash scopes rate_limit counts_with created_at expires_at revoked_at last_used_at"),
  domains: all(
    "no id account_no name status is_default token last_checked_at last_problem verified_at verified_by missing_since " +
      "root_redirect_url not_found_redirect_url expired_redirect_url blocked_urls apple_app_site_association assetlinks version " +
      "created_at updated_at",
  ),
  links: all(
    "no id account_no domain_no domain_name key destination_url title tags utm state state_before_archive expires_at blocked_reason " +
      "blocked_at blocked_by created_via version created_at updated_at paused_at archived_at search_text " +
      "settings password_hash external_id notes created_by metadata",
  ),
  link_counts: all("link_no account_no state_no click_count last_clicked_at used_clicks"),
  link_count_runs: all("no rows"),
  link_tags: all("account_no tag link_no"),
  deleted_links: all(
    "no id account_no domain_no domain_name key destination_url title tags utm state state_before_archive expires_at blocked_reason " +
      "blocked_at blocked_by created_via version created_at updated_at paused_at archived_at search_text " +
      "settings password_hash external_id notes created_by metadata click_count last_clicked_at used_clicks deleted_at folded_tags",
  ),
  link_versions: all("link_no version at actor via action reverted_to before after"),
  tombstones: all("key deleted_at account_no"),
  changes: all("seq key at"),
  idempotency_keys: all("account_no operation key fingerprint response status created_at"),
  audit_log: all("no at account_no actor action subject details"),
  link_audit: all("no at account_no link_id slug actor via action fields"),
  click_positions: all("segment position"),
  click_erasures: all("link_no account_no"),
  webhook_endpoints: all(
    "no id account_no url description events takes_clicks secret old_secret old_secret_until created_at updated_at " +
      "disabled_at disabled_by failing_since last_failure_at exhausted_at clicks_dropped",
  ),
  webhook_events: all("no id account_no type body created_at"),
  webhook_deliveries: all("no id event_no endpoint_no state attempts next_at is_manual lease created_at"),
  webhook_attempts: all("no delivery_no at is_manual status problem duration_ms excerpt"),
  account_logos: all("account_no png hash updated_at"),
  utm_templates: all("id account_no name utm"),
  expiry_mark: all("id at link_no"),
  tags: all("account_no tag color"),
  tag_changes: all("account_no tag name actor via started_at after_no"),
  imports: all(
    "no id account_no source node actor state options progress forecast problem created_at updated_at finished_at",
  ),
  imported_links: all("account_no source source_id link_no import_no"),
  shares: all("id link_no account_no token password_hash min_visitors timezone expires_at created_at"),
};

const libraryTables = new Set([
  "users",
  "credentials",
  "members",
  "sessions",
  "verifications",
  "two_factors",
  "passkeys",
]);

/** The engine's own tables, which it queries without the types. */
const ENGINE_TABLES = /^(?:sqlite_sequence|migrations|links_text(?:_\w+)?|text_index_reach|secret_key)$/;

function all<K extends string>(names: string): Record<K, true> {
  return Object.fromEntries(names.split(" ").map((name) => [name, true])) as Record<K, true>;
}

test("an empty file migrates to exactly the tables the code knows", () => {
  const path = newPath();
  migrateSqlite(path);
  const sqlite = new Sqlite(path, { readonly: true });
  for (const [table, known] of Object.entries(columns)) {
    const rows = sqlite.query(`select name from pragma_table_info('${table}')`).all() as { name: string }[];
    const names = rows.map(({ name }) => name);
    // The sign-in library has columns that only it uses; all of ours are known.
    const missing = Object.keys(known).filter((name) => !names.includes(name));
    expect({ table, missing }).toEqual({ table, missing: [] });
    if (!libraryTables.has(table)) expect(names.toSorted()).toEqual(Object.keys(known).toSorted());
  }
  const tables = sqlite.query("select name from sqlite_schema where type = 'table'").all() as { name: string }[];
  expect(tables.map(({ name }) => name).filter((name) => !(name in columns) && !ENGINE_TABLES.test(name))).toEqual([]);
  sqlite.close();
});

test("the trash has every column of links and their counts", () => {
  const { link_no: _, account_no: __, state_no: ___, ...counts } = columns.link_counts;
  const kept = Object.keys({ ...columns.links, ...counts, deleted_at: true, folded_tags: true });
  expect(Object.keys(columns.deleted_links).toSorted()).toEqual(kept.toSorted());
});

test("migrating again does nothing", () => {
  const path = newPath();
  expect(migrateSqlite(path).applied.length).toBeGreaterThan(0);
  expect(migrateSqlite(path)).toEqual({ applied: [], version: newest });
});

test("data from a newer version is rejected and left alone", () => {
  const path = newPath();
  migrateSqlite(path);
  const sqlite = new Sqlite(path);
  sqlite.run("insert into migrations (id, name, applied_at) values (999, 'future', 0)");
  sqlite.close();
  expect(() => migrateSqlite(path)).toThrow("newer Kurz");
});

/** A file as left by the version with this schema. */
function openOlder(path: string, version: number): Sqlite {
  const sqlite = new Sqlite(path);
  sqlite.run("create table migrations (id integer primary key, name text not null, applied_at integer not null)");
  for (const { id, name, sqlite: statements } of migrations.filter(({ id }) => id <= version)) {
    sqlite.run(statements);
    sqlite.run("insert into migrations (id, name, applied_at) values (?, ?, 0)", [id, name]);
  }
  return sqlite;
}

const insertAccount = (sqlite: Sqlite) =>
  sqlite.run("insert into accounts (no, id, name, slug, created_at) values (5, 'acc_a', 'A', 'a', '')");

interface LinkValues {
  readonly state?: string;
  readonly text?: string;
}

/** `slug` is the column that became `key`. */
const insertLink = (sqlite: Sqlite, no: number, values: LinkValues, keyColumn: "slug" | "key" = "key") =>
  sqlite.run(
    `insert into links (no, id, account_no, ${keyColumn}, destination_url, tags, utm, state, created_via, version, created_at,
      updated_at, search_text)
     values (?1, 'lnk_' || ?1, 5, 's' || ?1, 'https://example.com/', '[]', '{}', ?2, 'api', 1, 0, 0, ?3)`,
    [no, values.state ?? "active", values.text ?? ""],
  );

test("click counts stored with the links are migrated, each with its link's state", () => {
  const path = newPath();
  const older = openOlder(path, 6);
  insertAccount(older);
  const insert = older.prepare(
    `insert into links (no, id, account_no, slug, destination_url, tags, utm, state, click_count, last_clicked_at,
      created_via, version, created_at, updated_at, search_text)
     values (?1, 'lnk_' || ?1, 5, 's' || ?1, 'https://example.com/', '[]', '{}', ?2, ?3, ?4, 'api', 1, 0, 0, 'text')`,
  );
  insert.run(2, "active", 0, 0);
  insert.run(3, "paused", 7, 1000);
  insert.run(9, "archived", 900, 2000);
  insert.finalize();
  older.close();
  expect(migrateSqlite(path).applied).toEqual(namesAfter(6));
  const sqlite = new Sqlite(path);
  sqlite.run("pragma foreign_keys = on");
  const counts = () => sqlite.query("select * from link_counts order by link_no").values();
  expect(counts()).toEqual([
    [2, 5, 0, 0, 0, 0],
    [3, 5, 1, 7, 1000, 0],
    [9, 5, 2, 900, 2000, 0],
  ]);
  sqlite.run("update links set state = 'archived' where no = 3");
  sqlite.run("delete from links where no = 2");
  expect(counts()).toEqual([
    [3, 5, 2, 7, 1000, 0],
    [9, 5, 2, 900, 2000, 0],
  ]);
  sqlite.close();
});

test("counts have their link's state number, initially and after a change", () => {
  const path = newPath();
  migrateSqlite(path);
  const sqlite = new Sqlite(path);
  insertAccount(sqlite);
  const place = sqlite.query<{ state_no: number }, [number]>("select state_no from link_counts where link_no = ?");
  for (const [from, before] of liveStates.entries()) {
    for (const [to, after] of liveStates.entries()) {
      const no = 1 + from * liveStates.length + to;
      insertLink(sqlite, no, { state: before });
      expect(place.get(no)).toEqual({ state_no: from });
      sqlite.run("update links set state = ? where no = ?", [after, no]);
      expect(place.get(no)).toEqual({ state_no: to });
    }
  }
  place.finalize();
  sqlite.close();
});

test("links indexed one by one are still found, and updated and deleted in the index", async () => {
  const path = newPath();
  const older = openOlder(path, 7);
  insertAccount(older);
  for (const no of [1, 2, 3]) insertLink(older, no, { text: "spring sale" }, "slug");
  older.close();
  expect(migrateSqlite(path).applied).toEqual(namesAfter(7));
  const sqlite = new Sqlite(path);
  sqlite.run("update links set search_text = 'winter' where no = 1");
  sqlite.run("delete from links where no = 2");
  insertLink(sqlite, 4, { text: "summer sale" });
  sqlite.close();
  const records = openSqliteRecords({ path });
  const find = async (text: string) => {
    const candidates = records.textCandidates(5, text);
    const { rows } = await sql<{ no: number }>`select no from ${candidates} order by no`.execute(records.read);
    return rows.map(({ no }) => no);
  };
  expect(await find("sale")).toEqual([3, 4]);
  expect(await find("winter")).toEqual([1]);
  await records.close();
});
