import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { explainDamage } from "../damage.ts";
import { RecordsUnavailable } from "../records.ts";
import type { EachQuery } from "../statement.ts";
import { storable } from "../storable-text.ts";

const UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM)/;
const STATEMENTS_MAX = 500;

export interface SqliteOptions {
  readonly path: string;
  readonly readonly: boolean;
}

export function openSqlite({ path, readonly }: SqliteOptions): Database {
  const database = new Database(path, readonly ? { readonly: true } : { create: true, readwrite: true });
  // For readers too: the first connection after a crash takes an exclusive lock to recover the WAL.
  database.run("pragma busy_timeout = 5000");
  if (!readonly) {
    database.run("pragma journal_mode = wal");
    // An acknowledged commit must survive a power loss.
    database.run("pragma synchronous = full");
    database.run("pragma foreign_keys = on");
    // Deleted data is overwritten, even if that writes another page (decision 29 explains the cost).
    database.run("pragma secure_delete = on");
    // In kilobytes. A page evicted before its transaction ends is written, read and written again.
    database.run("pragma cache_size = -16384");
    // A burst must not leave a large WAL behind forever.
    database.run("pragma journal_size_limit = 67108864");
  }
  database.run("pragma temp_store = memory");
  return database;
}

interface Prepared {
  readonly statement: Statement;
  readonly hasRows: boolean;
}

/** Adapts a SQLite handle for Kysely. Everything in it is synchronous. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Database;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  executeQuery<R>(query: CompiledQuery | EachQuery): Promise<QueryResult<R>> {
    try {
      if ("each" in query) return Promise.resolve(this.#runEach(query));
      return Promise.resolve(this.run<R>(query.sql, query.parameters));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    try {
      const { statement, hasRows } = this.#prepare(sql);
      const values = storable(parameters) as SQLQueryBindings[];
      if (hasRows) return { rows: statement.all(...values) as R[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw toRecordsError(error, this.#database.filename);
    }
  }

  // biome-ignore lint/correctness/useYield: results are never streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not supported on SQLite");
  }

  close(): void {
    this.#finalize();
    this.#database.close();
  }

  #runEach<R>({ sql, each }: EachQuery): QueryResult<R> {
    try {
      const { statement } = this.#prepare(sql);
      for (const parameters of each) statement.run(...(storable(parameters) as SQLQueryBindings[]));
      return { rows: [] };
    } catch (error) {
      throw toRecordsError(error, this.#database.filename);
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    // There are few query texts; only value lists vary, and those must not accumulate.
    if (this.#statements.size >= STATEMENTS_MAX) this.#finalize();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columnNames.length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #finalize(): void {
    for (const { statement } of this.#statements.values()) statement.finalize();
    this.#statements.clear();
  }
}

function toRecordsError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && UNAVAILABLE.test(code)
    ? new RecordsUnavailable(code, { cause: error })
    : explainDamage(path, error);
}
