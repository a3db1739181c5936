import { AsyncLocalStorage } from "node:async_hooks";
import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type QueryResult } from "kysely";
import { type Records, RecordsUnavailable } from "./records.ts";

const calls = new AsyncLocalStorage<{ failure: RecordsUnavailable | null }>();

/**
 * Runs a call of a library that has these records. It rejects with `RecordsUnavailable` if they were, whatever the
 * library made of that: some report it as their own failure, or as a session that doesn't exist.
 */
export function callWithRecords<T>(call: () => Promise<T>): Promise<T> {
  const seen: { failure: RecordsUnavailable | null } = { failure: null };
  return calls.run(seen, async () => {
    const [outcome] = await Promise.allSettled([call()]);
    if (seen.failure) throw seen.failure;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

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

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#execute<R>(query);
    } catch (error) {
      const call = calls.getStore();
      if (call && error instanceof RecordsUnavailable) call.failure = error;
      throw error;
    }
  }

  #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
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
