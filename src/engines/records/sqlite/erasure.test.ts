import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { newId } from "#kernel/ids.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import type { Records } from "../records.ts";
import { migrateSqlite } from "./migrate.ts";
import { rewriteErased } from "./rewrite.ts";
import { openSqliteRecords } from "./sqlite-records.ts";

setDefaultTimeout(600_000);

const LINKS = 3000;
const BATCH = 300;
const SECRET = "zqxjsecret";

let directory: string;
let path: string;
let records: Records;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-erasure-"));
  path = join(directory, "records.db");
  migrateSqlite(path);
  records = openSqliteRecords({ path, textBatch: BATCH });
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Every third link is secret, on the same pages as the others. */
async function fill(): Promise<void> {
  const { accountNo: account_no } = await newTestCaller(records);
  for (let first = 0; first < LINKS; first += 100) {
    await records.write(async (tx) => {
      for (let n = first; n < first + 100; n += 1) {
        const text =
          n % 3 === 0
            ? `${SECRET} ${Bun.hash(String(n))
                .toString(36)
                .repeat(1 + (n % 9))}`
            : `plain ${n}`;
        const id = newId("lnk");
        const link = { id, account_no, key: id, destination_url: text, title: text, tags: "[]", utm: "{}" };
        const times = { created_at: n, updated_at: n, expires_at: null };
        await tx
          .insertInto("links")
          .values({ ...link, ...times, state: "active", created_via: "api", version: 1, search_text: text } as never)
          .execute();
        await tx
          .insertInto("link_tags")
          .values({ account_no, tag: `${text} ${n}`, link_no: n + 1 })
          .execute();
      }
    });
  }
  const missing = sql<{ count: number }>`select (select max(no) from links) - link_no as count from text_index_reach`;
  await until("all links are in the text index", async () => {
    await records.write(async () => {});
    return ((await missing.execute(records.read)).rows[0]?.count ?? LINKS) < BATCH;
  });
}

const deleteSecrets = () =>
  records.write((tx) => tx.deleteFrom("links").where("title", "like", `${SECRET}%`).execute());

/** Link numbers in the index, deleted or not. */
function countIndexed(term: string): number {
  const database = new Database(path);
  try {
    database.run("create virtual table temp.terms using fts5vocab(main, links_text, row)");
    const row = database.query("select doc from temp.terms where term = ?").get(term) as { doc: number } | null;
    return row?.doc ?? 0;
  } finally {
    database.close();
  }
}

test("the text index contains nothing of deleted links after its erasure ran", async () => {
  await fill();
  await deleteSecrets();
  await records.forgetDeletedText(new AbortController().signal);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from links_text_data where id >= 9007199254740992`.execute(records.read);
  expect(rows[0]?.count).toBe(0);
  const found = await sql<{ no: number }>`
    select no from ${records.textCandidates(1, "plain 1")} order by no limit 2`.execute(records.read);
  expect(found.rows.map(({ no }) => no)).toEqual([2, 11]);
  await records.close();
  expect(countIndexed("zqx")).toBe(0);
  expect(countIndexed("pla")).toBeGreaterThan(LINKS / 2);
});

test("a file with erased data is rewritten without a trace of it", async () => {
  await fill();
  records.noteErasure();
  await deleteSecrets();
  await records.close();
  // Deleted rows are overwritten, but copies may remain where SQLite moved rows to another page.
  expect(occurrences()).toBeLessThan(LINKS / 20);
  expect(rewriteErased(path)).toBe(true);
  expect(occurrences()).toBe(0);
  expect(readdirSync(directory)).toEqual(["records.db"]);
  expect(rewriteErased(path)).toBe(false);
  const database = new Database(path, { readonly: true });
  expect(database.query("select count(*) as count from links").get()).toEqual({ count: (LINKS * 2) / 3 });
  expect(database.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(database.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
});

test("a log left behind by a reader is empty once the engine is closed", async () => {
  const reader = new Database(path, { readonly: true });
  await fill();
  reader.query("select count(*) from links").get();
  await deleteSecrets();
  await records.close();
  expect(readFileSync(`${path}-wal`).length).toBe(0);
  reader.close();
});

test("no log is left behind by a search", async () => {
  expect(await records.findDamage(1)).toEqual([]);
  await records.close();
  expect(readdirSync(directory)).toEqual(["records.db"]);
});

test("a file in use is left as it is, to be rewritten later", async () => {
  await fill();
  records.noteErasure();
  await deleteSecrets();
  expect(() => rewriteErased(path)).toThrow("in use");
  expect(existsSync(`${path}.rewritten`)).toBe(false);
  await records.close();
  expect(rewriteErased(path)).toBe(true);
});

const occurrences = (): number =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1").split(SECRET).length - 1)
    .reduce((sum, count) => sum + count, 0);
