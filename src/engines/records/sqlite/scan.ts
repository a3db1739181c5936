import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { shippedWorker } from "#kernel/shipped-files.ts";
import { openWorkerCalls, type WorkerCalls } from "#kernel/worker-calls.ts";
import { RecordsUnavailable } from "../records.ts";
import type { ConnectionSource } from "./dialect.ts";

export interface ScanRequest {
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ScanAnswer = { readonly rows: readonly unknown[] } | { readonly unavailable: string };

type ScanWorker = WorkerCalls<ScanRequest, ScanAnswer>;

// Two, so one long search doesn't delay all others.
const WORKERS = 2;
const WAITING_MAX = 64;
const module = shippedWorker("src/engines/records/sqlite/scan-worker.ts");

/** Read-only handles in workers: SQLite is synchronous, and a search must not block the event loop. */
export function scanSource(path: string): ConnectionSource {
  const workers = Array.from(
    { length: WORKERS },
    (): ScanWorker => openWorkerCalls({ module, failure: (message) => new RecordsUnavailable(message) }),
  );

  /** The least busy worker; the second one is only started if the first is busy. */
  const pickWorker = (): ScanWorker =>
    workers.reduce((calmest, worker) => (worker.pending < calmest.pending ? worker : calmest));

  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const worker = pickWorker();
      if (worker.pending >= WAITING_MAX) throw new RecordsUnavailable("too many searches at once");
      const answer = await worker.call({ path, sql, parameters });
      if ("unavailable" in answer) throw new RecordsUnavailable(answer.unavailable);
      return { rows: answer.rows as R[] };
    },
    // biome-ignore lint/correctness/useYield: results are never streamed
    async *streamQuery() {
      throw new Error("streaming is not supported on SQLite");
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()));
  };
  return { connection, exclusive: false, close };
}
