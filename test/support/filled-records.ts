import { Database } from "bun:sqlite";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";

type Value = string | number | null | Uint8Array;

/** Text that an engine could mistake for something else, and characters that some can't store. */
const TEXTS: readonly string[] = [
  "plain",
  "",
  "\\N",
  "\\.",
  "\\",
  "null",
  "tab\there",
  "line\nbreak\r\n",
  "\b\f\v\x01\x1f\x7f\x85",
  "back\\slash\\t and \\x41",
  "quotes \"double\" and 'single' $$ and %s",
  "ümläut ß İ ﬁ",
  "emoji 👩‍👩‍👧 \u{10ffff}",
  "\ufeffmark \u2028\u2029\u200f\ufffe",
  "lone \ud83d surrogate",
  "nul \0 inside\0",
  " spaces ",
  "x".repeat(70_000),
];

/** What SQLite has by itself: its search index and migrations. */
export const ONLY_SQLITE = /^(?:sqlite_|links_text|text_index_reach$|migrations$)/;

/**
 * A records file with rows in every table, written by what the schema says of each column alone: so a table or column
 * that a migration adds is filled, too.
 */
export function fillRecords(path: string, rowsEach: number): void {
  migrateSqlite(path);
  const database = new Database(path, { readwrite: true });
  database.run("pragma synchronous = off");
  database.transaction(() => {
    for (const table of tablesOf(database)) fillTable(database, table, rowsEach);
    // Their numbers must not be given to others.
    for (const table of ["links", "webhook_events", "audit_log"]) {
      database.run(`delete from ${table} where no > ?`, [rowsEach - 2]);
    }
  })();
  database.close();
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  readonly pk: number;
}

/** Tables after those that they refer to. */
function tablesOf(database: Database): string[] {
  const names = database.query("select name from sqlite_schema where type = 'table' order by rowid").values();
  // The link counts come with their links.
  return names.map(([name]) => String(name)).filter((name) => !ONLY_SQLITE.test(name) && name !== "link_counts");
}

function fillTable(database: Database, table: string, rows: number): void {
  const columns = database.query("select * from pragma_table_info(?)").all(table) as Column[];
  const references = new Map(
    (database.query('select "from", "table", "to" from pragma_foreign_key_list(?)').values(table) as string[][]).map(
      ([from = "", other = "", to = ""]) => [from, { other, to }],
    ),
  );
  const text = (database.query("select sql from sqlite_schema where name = ?").get(table) as { sql: string }).sql;
  const insert = database.prepare(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  const isSingle = /check \(id = 1\)/.test(text);
  for (let row = 1; row <= (isSingle ? 1 : rows); row += 1) {
    insert.run(
      ...columns.map((column, place): Value => {
        const reference = references.get(column.name);
        if (reference) return pick(database, reference, row);
        const allowed = choicesOf(text, column.name);
        if (allowed) return allowed[row % allowed.length] ?? null;
        return newValue(column, row, place);
      }),
    );
  }
}

function pick(database: Database, { other, to }: { other: string; to: string }, row: number): Value {
  const found = database.query(`select "${to}" as value from "${other}" order by 1 limit 1 offset ?`);
  const { total } = database.query(`select count(*) as total from "${other}"`).get() as { total: number };
  return (found.get((row - 1) % total) as { value: Value }).value;
}

/** What a check allows, such as `check (state in ('active', 'paused'))`. */
function choicesOf(text: string, column: string): Value[] | undefined {
  const [, list] = new RegExp(`^\\s*${column} .*check \\(${column} in \\(([^)]*)\\)`, "m").exec(text) ?? [];
  return list?.split(",").map((item) => (item.includes("'") ? item.trim().slice(1, -1) : Number(item)));
}

function newValue({ name, type, notnull, pk }: Column, row: number, place: number): Value {
  const isNull = notnull === 0 && pk === 0 && (row + place) % 4 === 0;
  if (isNull) return null;
  if (type === "BLOB") return Uint8Array.from({ length: 300 }, (_, index) => (index * row) % 256);
  if (type === "INTEGER") {
    if (pk > 0 || /_no$/.test(name)) return row;
    return /^(?:email_verified|two_factor_enabled|verified|backed_up|is_manual|status|rate_limit|attempts|state_no)$|count$/.test(
      name,
    )
      ? row % 2
      : ([0, row, 1_700_000_000_000 + row, Number.MAX_SAFE_INTEGER, -row][(row + place) % 5] ?? 0);
  }
  // Times of the sign-in library, and texts; those that must be unique have the row's number.
  if (type === "date") return new Date(1_700_000_000_000 + row).toISOString();
  const isKey =
    pk > 0 || /^(?:id|name|slug|email|token|credential_id|external_id|provider_account_id|key|segment|tag)$/.test(name);
  return isKey ? `${name}-${row}-ü` : `${TEXTS[(row + place) % TEXTS.length]}`;
}
