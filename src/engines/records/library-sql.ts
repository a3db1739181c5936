import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from "kysely";
import type { Records } from "./records.ts";
import { SqliteDialect } from "./sqlite-dialect.ts";

/**
 * For a library that writes its own queries: each statement stands alone, reads go to the reader, and writes take their
 * turn in the queue of all writers, which a second connection would lock out.
 */
export const librarySql = (records: Pick<Records, "read" | "write">): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: new SqliteDialect({ connection: new QueuedConnection(records), exclusive: false, close: () => {} }),
  });

class QueuedConnection implements DatabaseConnection {
  readonly #records: Pick<Records, "read" | "write">;

  constructor(records: Pick<Records, "read" | "write">) {
    this.#records = records;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (/^\s*(select|pragma)\b/i.test(query.sql)) {
      return this.#records.read.executeQuery<R>(query as CompiledQuery<R>);
    }
    // A transaction would have to hold the queue across the library's own waiting.
    if (/^\s*(begin|commit|rollback)\b/i.test(query.sql)) {
      return Promise.reject(new Error("the library's statements stand alone"));
    }
    return this.#records.write((tx) => tx.executeQuery<R>(query as CompiledQuery<R>));
  }

  // biome-ignore lint/correctness/useYield: the engine answers whole results only
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not supported");
  }
}
