import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type QueryResult } from "kysely";
import type { Records } from "./records.ts";

/**
 * For a library that runs its own queries: statements run without transactions, reads go to the reader, and writes join
 * the queue of all writers, which a second connection would lock out.
 */
export const librarySql = (
  records: Pick<Records, "read" | "write">,
  dialectOver: (connection: DatabaseConnection) => Dialect,
): Kysely<unknown> => new Kysely<unknown>({ dialect: dialectOver(new QueuedConnection(records)) });

class QueuedConnection implements DatabaseConnection {
  readonly #records: Pick<Records, "read" | "write">;

  constructor(records: Pick<Records, "read" | "write">) {
    this.#records = records;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (/^\s*(select|pragma)\b/i.test(query.sql)) {
      return this.#records.read.executeQuery<R>(query as CompiledQuery<R>);
    }
    // A transaction would block the queue whenever the library awaits something.
    if (/^\s*(begin|commit|rollback)\b/i.test(query.sql)) {
      return Promise.reject(new Error("transactions are not supported here"));
    }
    return this.#records.write((tx) => tx.executeQuery<R>(query as CompiledQuery<R>));
  }

  // biome-ignore lint/correctness/useYield: results are never streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not supported");
  }
}
