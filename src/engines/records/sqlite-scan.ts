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
  | { readonly id: number; readonly error: string; readonly unavailable: boolean };

type Waiter = PromiseWithResolvers<QueryResult<unknown>>;

// Two, so that one long search does not hold up every other.
const WORKERS_MAX = 2;
const WAITING_MAX = 64;

/** Read-only handles in workers: SQLite is synchronous, and a search must not hold the event loop. */
export function scanSource(path: string): ConnectionSource {
  const workers: ScanWorker[] = [];
  let lastId = 0;

  /** The one with the least to do; a further one is started only when all are busy. */
  const pickWorker = (): ScanWorker => {
    const [calmest] = workers.toSorted((a, b) => a.waiting.size - b.waiting.size);
    if (calmest && (calmest.waiting.size === 0 || workers.length === WORKERS_MAX)) return calmest;
    const started = new ScanWorker(() => workers.splice(workers.indexOf(started), 1));
    workers.push(started);
    return started;
  };

  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const worker = pickWorker();
      if (worker.waiting.size >= WAITING_MAX) throw new RecordsUnavailable("too many searches at once");
      lastId += 1;
      return worker.ask({ id: lastId, path, sql, parameters }) as Promise<QueryResult<R>>;
    },
    // biome-ignore lint/correctness/useYield: the engine answers whole results only
    async *streamQuery() {
      throw new Error("streaming is not supported on SQLite");
    },
  };
  return { connection, exclusive: false, close: () => workers.forEach((worker) => void worker.stop()) };
}

class ScanWorker {
  readonly waiting = new Map<number, Waiter>();
  readonly #worker = new Worker(new URL("./sqlite-scan-worker.ts", import.meta.url).href);

  constructor(onDeath: () => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<ScanAnswer>) => this.#settle(data);
    this.#worker.onerror = ({ message }) => {
      onDeath();
      for (const waiter of this.waiting.values()) waiter.reject(new RecordsUnavailable(message));
      this.waiting.clear();
    };
    this.#worker.unref();
  }

  ask(request: ScanRequest): Promise<QueryResult<unknown>> {
    const waiter: Waiter = Promise.withResolvers();
    this.waiting.set(request.id, waiter);
    this.#worker.postMessage(request);
    return waiter.promise;
  }

  stop(): void {
    this.#worker.terminate();
  }

  #settle(answer: ScanAnswer): void {
    const waiter = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ("rows" in answer) waiter?.resolve({ rows: answer.rows as unknown[] });
    else waiter?.reject(answer.unavailable ? new RecordsUnavailable(answer.error) : new Error(answer.error));
  }
}
