import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { RecordsUnavailable } from "./records.ts";
import type { ConnectionSource } from "./sqlite-dialect.ts";

export interface ScanRequest {
  readonly id: number;
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ScanAnswer =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly error: string };

const WAITING_MAX = 64;

/** A read-only handle in a worker: SQLite is synchronous, and a search must not hold the event loop. */
export function scanSource(path: string): ConnectionSource {
  const waiting = new Map<number, PromiseWithResolvers<QueryResult<unknown>>>();
  let worker: Worker | null = null;
  let lastId = 0;

  // Started by the first query, since many installations never search.
  const start = (): Worker => {
    const started = new Worker(new URL("./sqlite-scan-worker.ts", import.meta.url).href);
    started.onmessage = ({ data }: MessageEvent<ScanAnswer>) => {
      const waiter = waiting.get(data.id);
      waiting.delete(data.id);
      if ("error" in data) waiter?.reject(new Error(data.error));
      else waiter?.resolve({ rows: data.rows as unknown[] });
    };
    started.onerror = (event) => {
      worker = null;
      for (const waiter of waiting.values()) waiter.reject(new RecordsUnavailable(event.message));
      waiting.clear();
    };
    started.unref();
    return started;
  };

  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      if (waiting.size >= WAITING_MAX) throw new RecordsUnavailable("too many searches at once");
      worker ??= start();
      lastId += 1;
      const waiter = Promise.withResolvers<QueryResult<unknown>>();
      waiting.set(lastId, waiter);
      worker.postMessage({ id: lastId, path, sql, parameters } satisfies ScanRequest);
      return waiter.promise as Promise<QueryResult<R>>;
    },
    // biome-ignore lint/correctness/useYield: the engine answers whole results only
    async *streamQuery() {
      throw new Error("streaming is not supported on SQLite");
    },
  };
  return { connection, exclusive: false, close: () => worker?.terminate() };
}
