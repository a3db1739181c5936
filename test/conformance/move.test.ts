import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { moveRecords, planRecordsMove, readInstallation } from "#engines/open-engines.ts";
import type { MoveProgress } from "#engines/records/move/records-move.ts";
import { migratePostgres } from "#engines/records/postgres/migrate.ts";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { fillRecords, ONLY_SQLITE } from "#test/support/filled-records.ts";
import { killAndWait, startMove } from "#test/support/move-process.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

/** What PostgreSQL has by itself: migrations, locks, and changes that have no number yet. */
const ONLY_POSTGRES = /^(?:write_lock_\d+|unnumbered_changes|last_move|migrations)$/;
const ROWS = 60;

const directory = mkdtempSync(join(tmpdir(), "kurz-move-"));
const path = join(directory, "records.db");

beforeAll(() => fillRecords(path, ROWS));

let moved: Promise<string> | undefined;

/** A copy of a database that the records were moved to, which takes less time than another move. */
async function newMovedUrl(): Promise<string> {
  const server = await sharedPostgres();
  moved ??= server.newDatabase().then(async (name) => {
    await move(server.urlOf(name));
    return name;
  });
  return server.urlOf(await server.newDatabase(await moved));
}
afterAll(() => rmSync(directory, { recursive: true }));

async function newUrl(): Promise<string> {
  const server = await sharedPostgres();
  return server.urlOf(await server.newDatabase());
}

const ask = <R = Record<string, unknown>>(url: string, sql: string): Promise<R[]> =>
  connected(url, async (client) => (await client.query(sql)).rows as R[]);

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "test" });
  // Numbers as such, as the engine reads them.
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface MoveOptions {
  readonly from?: string;
  readonly discards?: boolean;
  readonly onProgress?: (progress: MoveProgress) => void;
}

const move = (url: string, { from = path, discards = false, onProgress = () => {} }: MoveOptions = {}) =>
  moveRecords({ from: { path: from }, to: { url, readUrl: null }, discards, onProgress });

const plan = (url: string) =>
  planRecordsMove({ from: { path }, to: { url, readUrl: null }, discards: false, onProgress: () => {} });

/** `expect(…).rejects` would poll, which makes a long chain of statements many times slower. */
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no refusal",
    (error: Error) => error.message,
  );

type Rows = Readonly<Record<string, readonly unknown[]>>;

/** Every row of every table, read with SQLite itself. */
function readSource(file: string): Rows {
  const database = new Database(file, { readonly: true });
  const names = database.query("select name from sqlite_schema where type = 'table'").values().flat().map(String);
  const tables = names.filter((name) => !ONLY_SQLITE.test(name)).sort();
  const rows = tables.map((name) => {
    const order = (
      database.query("select name from pragma_table_info(?) where pk > 0 order by pk").values(name) as string[][]
    )
      .flat()
      .map((column) => `"${column}"`);
    return [
      name,
      database
        .query(`select * from "${name}" order by ${order.join(", ")}`)
        .all()
        .map(plain),
    ] as const;
  });
  database.close();
  return Object.fromEntries(rows);
}

/** Every row of every table, read with PostgreSQL's own client. */
async function readTarget(url: string): Promise<Rows> {
  const names = await ask<{ name: string; key: string }>(
    url,
    `select relname as name, (
       select string_agg(quote_ident(attname), ', ' order by array_position(indkey::smallint[], attnum))
       from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey) where indrelid = pg_class.oid and indisprimary
     ) as key
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  return connected(url, async (client) => {
    const tables: [string, unknown[]][] = [];
    for (const { name, key } of names.filter((table) => !ONLY_POSTGRES.test(table.name))) {
      tables.push([name, (await client.query(`select * from "${name}" order by ${key}`)).rows.map(plain)]);
    }
    return Object.fromEntries(tables);
  });
}

/** Whatever the order of the columns, and the class of the bytes. */
const plain = (row: unknown): unknown =>
  Object.fromEntries(
    Object.entries(row as Record<string, unknown>)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value]),
  );

const withoutNul = (rows: Rows): unknown =>
  JSON.parse(JSON.stringify(rows), (_, value) =>
    typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value,
  );

/** Everything but rows: columns, indexes, constraints, triggers and where numbers continue. */
async function readSchema(url: string): Promise<unknown> {
  const catalog = await ask(
    url,
    `select 'index' as kind, indexdef as text from pg_indexes where schemaname = 'public' and tablename <> 'last_move'
     union all select 'constraint', conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'trigger', tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select 'column', table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(collation_name, '')
       from information_schema.columns where table_schema = 'public' and table_name <> 'last_move'
     order by 1, 2`,
  );
  return catalog;
}

describe("moving records to PostgreSQL", () => {
  test("every row of every table is there, and the schema is as it was", async () => {
    const [url, untouched] = [await newUrl(), await newUrl()];
    await migratePostgres(untouched);
    const source = readSource(path);
    const moved = await move(url);
    expect(Object.keys(source).length).toBeGreaterThan(24);
    for (const [name, rows] of Object.entries(source)) expect([name, rows.length > 0]).toEqual([name, true]);
    expect(await readTarget(url)).toEqual(withoutNul(source) as Rows);
    expect(await readSchema(url)).toEqual(await readSchema(untouched));
    expect(moved.tables.map(({ name, rows }) => [name, rows])).toEqual(
      Object.entries(source).map(([name, rows]) => [name, rows.length]),
    );
    expect(moved.textsWithNul).toBeGreaterThan(0);
    expect(await readInstallation({ url, readUrl: null })).toBe(await readInstallation({ path }));
    // The source is only read.
    expect(readSource(path)).toEqual(source);
  });

  test("both engines have the same tables, apart from those that are named here", async () => {
    const url = await newUrl();
    await migratePostgres(url);
    expect(Object.keys(await readTarget(url))).toEqual(Object.keys(readSource(path)));
  });

  test("new rows get numbers that no row had before, not even a deleted one", async () => {
    const url = await newMovedUrl();
    const records = openPostgresRecords({ url });
    const { no } = await records.write((tx) =>
      tx
        .insertInto("webhook_events")
        .values({ id: "evt_new", account_no: 1, type: "x", body: "{}", created_at: 1 })
        .returning("no")
        .executeTakeFirstOrThrow(),
    );
    await records.close();
    expect(no).toBe(ROWS + 1);
  });

  test("can be repeated: the target follows the source", async () => {
    const url = await newMovedUrl();
    const changed = join(directory, "changed.db");
    copyFileSync(path, changed);
    const database = new Database(changed);
    database.run("pragma foreign_keys = on");
    database.run("delete from links where no <= 10");
    database.run("update accounts set name = 'another' where no = 3");
    database.run("insert into tombstones (key, deleted_at) values ('gone', 5)");
    database.close();
    await move(url, { from: changed });
    expect(await readTarget(url)).toEqual(withoutNul(readSource(changed)) as Rows);
  });

  test("copies one moment, whatever is written meanwhile", async () => {
    const url = await newUrl();
    const busy = join(directory, "busy.db");
    copyFileSync(path, busy);
    const database = new Database(busy);
    database.run("pragma journal_mode = wal");
    const before = readSource(busy);
    let writes = 0;
    await move(url, {
      from: busy,
      onProgress: () => {
        writes += 1;
        database.run("insert into tombstones (key, deleted_at) values (?, 1)", [`during-${writes}`]);
        database.run("insert into audit_log (at, actor, action, subject, details) values (1, 'a', 'b', 'c', '')");
        database.run("update accounts set name = ? where no = 1", [`during-${writes}`]);
        database.run("delete from link_tags where link_no = ?", [writes]);
      },
    });
    database.close();
    expect(writes).toBeGreaterThan(50);
    expect(await readTarget(url)).toEqual(withoutNul(before) as Rows);
  });

  test("a dry run only looks", async () => {
    const url = await newUrl();
    const { target, tables } = await plan(url);
    expect(target.state).toBe("empty");
    expect(tables.find(({ name }) => name === "links")?.rows).toBe(ROWS - 2);
    expect(await ask(url, "select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
    expect((await plan(await newMovedUrl())).target.state).toBe("moved before");
  });
});

describe("a move refuses", () => {
  test("a database with data that was not moved there", async () => {
    const url = await newUrl();
    await migratePostgres(url);
    await ask(url, "insert into tombstones (key, deleted_at) values ('theirs', 1)");
    expect(await refusalOf(move(url))).toContain("already has data (in the table tombstones)");
    expect(await refusalOf(move(url, { discards: true }))).toContain("use an empty database");
    expect(await refusalOf(plan(url))).toContain("already has data");
    expect(await ask(url, "select key from tombstones")).toEqual([{ key: "theirs" }]);
  });

  test("the data of another installation", async () => {
    const url = await newMovedUrl();
    const other = join(directory, "other.db");
    fillRecords(other, 3);
    expect(await refusalOf(move(url, { from: other, discards: true }))).toContain("the data of another installation");
    expect(await readTarget(url)).toEqual(withoutNul(readSource(path)) as Rows);
  });

  test.each([
    ["an insert", "insert into tombstones (key, deleted_at) values ('new', 1)"],
    ["an update", "update users set name = 'new' where id = 'id-1-ü'"],
    ["a delete", "delete from tombstones where key = 'key-1-ü'"],
    ["a change without a number", "insert into unnumbered_changes (key, at) values ('x', 1)"],
  ])("to undo what was written since the last move: %s", async (_, sql) => {
    const url = await newMovedUrl();
    await ask(url, sql);
    expect(await refusalOf(move(url))).toContain("was changed since the last move");
  });

  test("nothing of that if it is told to", async () => {
    const url = await newMovedUrl();
    await ask(url, "insert into unnumbered_changes (key, at) values ('x', 1)");
    await ask(url, "update users set name = 'new' where id = 'id-1-ü'");
    await move(url, { discards: true });
    expect(await readTarget(url)).toEqual(withoutNul(readSource(path)) as Rows);
    expect(await ask(url, "select * from unnumbered_changes")).toEqual([]);
  });

  test("a database that a node is connected to", async () => {
    const url = await newMovedUrl();
    const node = openPostgresRecords({ url });
    await node.read.selectFrom("users").select("id").limit(1).execute();
    expect(await refusalOf(move(url))).toContain("is in use by a Kurz server or command");
    const planned = plan(url);
    await until("it looks", async () => (await ask(url, MOVES)).length > 0);
    await node.close();
    expect((await planned).target.state).toBe("moved before");
  });

  test("records of another version", async () => {
    const old = join(directory, "old.db");
    copyFileSync(path, old);
    const database = new Database(old);
    database.run("delete from migrations where id = (select max(id) from migrations)");
    database.close();
    expect(await refusalOf(move(await newUrl(), { from: old }))).toContain("kurz migrate");
  });

  test("numbers that would change on the way, and leaves the target as it was", async () => {
    const url = await newMovedUrl();
    const odd = join(directory, "odd.db");
    copyFileSync(path, odd);
    const database = new Database(odd);
    database.run("update links set version = 9007199254740993 where no = 5");
    database.close();
    expect(await refusalOf(move(url, { from: odd }))).toContain("no whole number that can be copied exactly");
    expect(await readTarget(url)).toEqual(withoutNul(readSource(path)) as Rows);
  });

  test("what the server refuses, and leaves the target as it was", async () => {
    const url = await newMovedUrl();
    const odd = join(directory, "text.db");
    copyFileSync(path, odd);
    const database = new Database(odd);
    database.run("update users set email_verified = 'yes' where id = 'id-1-ü'");
    database.close();
    expect(await refusalOf(move(url, { from: odd }))).toContain("nothing was changed there");
    expect(await readTarget(url)).toEqual(withoutNul(readSource(path)) as Rows);
  });
});

describe("a move that is killed", () => {
  test("leaves the target as it was, and can be repeated at once", async () => {
    const url = await newMovedUrl();
    const next = join(directory, "next.db");
    copyFileSync(path, next);
    const before = await readTarget(url);
    const database = new Database(next);
    database.run("insert into tombstones (key, deleted_at) values ('later', 1)");
    database.close();
    for (const point of ["copying accounts", "copying webhook_events", "indexing ", "verifying links"]) {
      const child = await startMove({ path: next, url, point });
      await killAndWait(child);
      expect([point, await readTarget(url)]).toEqual([point, before]);
    }
    await move(url, { from: next });
    expect(await readTarget(url)).toEqual(withoutNul(readSource(next)) as Rows);
  });

  test("or whose connection is cut leaves the target as it was, and says so", async () => {
    const url = await newMovedUrl();
    const cut = move(url, {
      onProgress: ({ step, table }) => {
        if (step === "copying" && table === "links") terminateMoves(url);
      },
    });
    expect(await refusalOf(cut)).toContain("nothing was changed there, move again");
    expect(await readTarget(url)).toEqual(withoutNul(readSource(path)) as Rows);
  });
});

const MOVES = "select 1 from pg_stat_activity where application_name = 'kurz move' and datname = current_database()";

/** Returns when it is done: the move goes on only after it. */
function terminateMoves(url: string): void {
  const sql =
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'kurz move' and datname = current_database()";
  const script = join(import.meta.dir, "fixtures", "run-statement.ts");
  const { exitCode } = Bun.spawnSync([process.execPath, script, url, sql], { stderr: "inherit" });
  expect(exitCode).toBe(0);
}
