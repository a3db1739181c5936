import type { Database } from "bun:sqlite";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { explainDamage } from "../damage.ts";
import { NEWEST_SCHEMA } from "../newest-schema.ts";
import { openSqlite } from "../sqlite/connection.ts";
import type { RecordValue } from "./copy-text.ts";

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** The records as of one moment. Others may read and write them meanwhile; the write-ahead log grows until `close`. */
export interface RecordsSource {
  /** See `readInstallation`. */
  readonly installation: string;
  /** When the first migration ran, in Unix milliseconds: what the installation is known by. */
  readonly createdAt: number;
  readonly tables: readonly SourceTable[];
  count(table: SourceTable): number;
  /** All rows in the order of the primary key, some at a time. */
  pages(table: SourceTable): Generator<readonly (readonly RecordValue[])[]>;
  /** The number after the highest one that was ever given to a row; deleted rows had theirs, too. */
  nextNumber(table: SourceTable, column: string): number;
  close(): void;
}

const PAGE_ROWS = 500;
/** Search indexes of this engine, whose counterpart is an index on the links, and its migrations. */
const OWN_TABLES = /^(?:sqlite_|links_text|text_index_reach$|migrations$)/;

const quote = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): string => names.map(quote).join(", ");

export function openSqliteSource(path: string): RecordsSource {
  const database = openSqlite({ path, readonly: true });
  try {
    // The first statement that reads decides what all others see.
    database.run("begin");
    assertNewest(database, path);
    return sourceOf(database);
  } catch (error) {
    database.close();
    throw explainDamage(path, error);
  }
}

function assertNewest(database: Database, path: string): void {
  const version = firstOf<number>(database, "select max(id) from migrations");
  if (version === NEWEST_SCHEMA) return;
  throw new OperatorMistake(
    `${path} has schema ${version}, but this version of Kurz uses ${NEWEST_SCHEMA}; start the server with this version ` +
      "once, or stop it and run kurz migrate, and then move",
  );
}

function sourceOf(database: Database): RecordsSource {
  const tables = readTables(database);
  const names = database.query("select name from sqlite_sequence").values() as [string][];
  const numbered = new Set(names.map(([name]) => name));
  const createdAt = firstOf<number>(database, "select applied_at from migrations order by id limit 1");
  return {
    installation: createdAt.toString(36),
    createdAt,
    tables,
    count: ({ name }) => firstOf<number>(database, `select count(*) from ${quote(name)}`),
    *pages(table) {
      const { name, columns, key } = table;
      const order = `order by ${list(key)} limit ${PAGE_ROWS}`;
      const first = `select ${list(columns)} from ${quote(name)} ${order}`;
      const marks = key.map(() => "?").join(", ");
      const next = `select ${list(columns)} from ${quote(name)} where (${list(key)}) > (${marks}) ${order}`;
      const positions = key.map((column) => columns.indexOf(column));
      let page = database.query(first).values() as RecordValue[][];
      while (page.length > 0) {
        yield page;
        const last = page.at(-1);
        if (!last || page.length < PAGE_ROWS) return;
        const after = positions.map((position) => last[position] as string | number);
        page = database.query(next).values(...after) as RecordValue[][];
      }
    },
    nextNumber: ({ name }, column) => {
      const highest = firstOf<number>(database, `select coalesce(max(${quote(column)}), 0) from ${quote(name)}`);
      if (!numbered.has(name)) return highest + 1;
      return Math.max(highest, firstOf<number>(database, "select seq from sqlite_sequence where name = ?", name)) + 1;
    },
    close: () => database.close(),
  };
}

function readTables(database: Database): readonly SourceTable[] {
  const names = database.query("select name from sqlite_schema where type = 'table' order by name").values() as [
    string,
  ][];
  return names
    .map(([name]) => name)
    .filter((name) => !OWN_TABLES.test(name))
    .map((name) => {
      const columns = database.query("select name, pk from pragma_table_info(?) order by cid").values(name) as [
        string,
        number,
      ][];
      const key = columns.filter(([, place]) => place > 0).sort(([, a], [, b]) => a - b);
      return { name, columns: columns.map(([column]) => column), key: key.map(([column]) => column) };
    });
}

function firstOf<T>(database: Database, sql: string, ...parameters: string[]): T {
  const [row] = database.query(sql).values(...parameters);
  return row?.[0] as T;
}
