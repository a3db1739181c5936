import type { DuckDBConnection } from "@duckdb/node-api";
import { type Gate, gate } from "#kernel/gate.ts";
import { ClicksUnavailable } from "./clicks-engine.ts";
import { type DatabaseOptions, isFatal, type OpenDatabase, openDatabase, toClicksError } from "./duckdb-database.ts";
import { inTransaction, type Session } from "./duckdb-session.ts";
import { SnapshotRead } from "./duckdb-snapshot.ts";

export interface AccessOptions extends DatabaseOptions {
  readonly reportThreads: number;
  readonly reportsMax: number;
  readonly reportTimeoutMs: number;
}

export interface Snapshot extends Session {
  /** Asks for more threads, for a report that has millions of rows to read. */
  hurry(): Promise<void>;
}

/** Keeps writers out while `work` runs. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

const READERS_WAITING_MAX = 64;
const CALM_AFTER_MS = 5000;
const INTERRUPT_EVERY_MS = 20;

const closedMeanwhile = (): ClicksUnavailable => new ClicksUnavailable("The clicks engine was closed meanwhile.");

interface Use {
  readonly database: OpenDatabase;
  readonly idleReaders: DuckDBConnection[];
  readonly readings: Set<SnapshotRead>;
  /** Aborted when nobody else may begin to use it. */
  readonly retirement: AbortController;
  users: number;
}

/** Who may use the file when: one writer at a time, a few snapshots beside it, and a new opening after a fatal error. */
export class DuckDbAccess {
  readonly #options: AccessOptions;
  readonly #writers = gate(1);
  readonly #readers: Gate;
  #current: Promise<Use> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #replacing: OpenDatabase | null = null;
  #onIdle: (() => void) | null = null;
  #hurried = false;
  #calm: Timer | null = null;
  #closed = false;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#readers = gate(options.reportsMax, {
      waitingMax: READERS_WAITING_MAX,
      waitMsMax: options.reportTimeoutMs,
      refusal: () => new ClicksUnavailable("Too many reports are waiting."),
    });
  }

  /** Runs `work` in a transaction, alone among the writers. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.exclusive(({ writer }) => inTransaction(writer, "begin", work));
  }

  /** Keeps every other writer out, without a transaction of its own. */
  exclusive<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    return this.#writers(() => this.#use(({ database }) => work(database)));
  }

  /**
   * Has `write` make a draft of the file while nobody else writes, and puts it in the place of the file as soon as
   * nobody uses that any more. Fails, with the file as it was, when the engine is closed meanwhile.
   */
  async replaceFile(write: (session: Session) => Promise<void>, putInPlace: () => void): Promise<void> {
    const { replaced } = await this.#writers(() =>
      this.#use(async (use) => {
        this.#replacing = use.database;
        try {
          if (this.#closed) throw closedMeanwhile();
          await write(use.database.writer);
        } finally {
          this.#replacing = null;
        }
        if (use.retirement.signal.aborted) throw closedMeanwhile();
        return { replaced: this.#retire(use, putInPlace) };
      }),
    );
    await replaced;
  }

  /**
   * Runs beside the writer, on a connection of its own; for one caller at a time. To keep writers out it has `alone`,
   * which gives up after a fatal error: the writer before it may wait for a new opening, and that waits for this work.
   */
  background<T>(work: (session: Session, alone: Alone) => Promise<T>): Promise<T> {
    return this.#use(({ database, retirement: { signal } }) => {
      const alone: Alone = (part) =>
        this.#writers(async () => {
          signal.throwIfAborted();
          return part();
        }, signal);
      return work(database.background, alone);
    });
  }

  /** For quick looks of one statement each, which wait for nobody. */
  look<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#use(({ database }) => work(database.lookout));
  }

  /** Everything that `work` reads is of one moment. It fails when it waits or takes too long. */
  read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#readers(() =>
      this.#use(async (use) => {
        const connection = use.idleReaders.pop() ?? (await use.database.connect());
        const reading = new SnapshotRead(connection);
        use.readings.add(reading);
        try {
          const hurry = () => this.#hurry(use);
          return await reading.run((session) => work({ ...session, hurry }), this.#options.reportTimeoutMs);
        } finally {
          use.readings.delete(reading);
          use.idleReaders.push(connection);
          this.#calmLater();
        }
      }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A new file takes as long as there are clicks. DuckDB forgets an interrupt that comes between two statements.
    const interrupting = setInterval(() => this.#replacing?.interruptWriter(), INTERRUPT_EVERY_MS);
    await this.#writers(async () => {});
    clearInterval(interrupting);
    const use = await this.#current?.catch(() => null);
    for (const reading of use?.readings ?? []) reading.breakOff("The clicks engine is closing.");
    if (use) void this.#retire(use);
    await this.#closing;
  }

  async #use<T>(work: (use: Use) => Promise<T>): Promise<T> {
    const use = await this.#open();
    use.users += 1;
    try {
      return await work(use);
    } catch (error) {
      if (isFatal(error)) void this.#retire(use);
      throw toClicksError(error);
    } finally {
      use.users -= 1;
      if (use.users === 0) this.#onIdle?.();
    }
  }

  #open(): Promise<Use> {
    if (this.#closed) return Promise.reject(new ClicksUnavailable("The clicks engine is closed."));
    this.#current ??= this.#closing
      .then(() => openDatabase(this.#options))
      .then((database) => ({
        database,
        idleReaders: [],
        readings: new Set<SnapshotRead>(),
        retirement: new AbortController(),
        users: 0,
      }))
      .catch((error) => {
        this.#current = null;
        throw toClicksError(error);
      });
    return this.#current;
  }

  /** Closes the file once nobody uses it, and may put another in its place; the next to come opens it again. */
  #retire(use: Use, putInPlace?: () => void): Promise<void> {
    if (use.retirement.signal.aborted) return this.#closing;
    use.retirement.abort(closedMeanwhile());
    this.#current = null;
    this.#hurried = false;
    if (this.#calm) clearTimeout(this.#calm);
    const idle = use.users === 0 ? Promise.resolve() : new Promise<void>((resolve) => (this.#onIdle = resolve));
    const closing = idle.then(() => {
      this.#onIdle = null;
      use.database.close();
    });
    // Whether or not the draft could take its place, there is a file to go on with.
    const replaced = closing.then(putInPlace);
    this.#closing = replaced.catch(() => {});
    return replaced;
  }

  async #hurry(use: Use): Promise<void> {
    if (this.#hurried || this.#options.reportThreads < 2) return;
    this.#hurried = true;
    await use.database.setThreads(this.#options.reportThreads);
  }

  /** Threads are started and ended at a cost, so they stay for a while after the last report. */
  #calmLater(): void {
    if (this.#calm) clearTimeout(this.#calm);
    if (this.#hurried) this.#calm = setTimeout(() => void this.#calmDown(), CALM_AFTER_MS).unref();
  }

  async #calmDown(): Promise<void> {
    const use = await this.#current?.catch(() => null);
    if (!this.#hurried || !use || use.retirement.signal.aborted) return;
    this.#hurried = false;
    // A failure here costs some CPU time and nothing else; the next statement will meet its cause.
    await this.#use(({ database }) => database.setThreads(1)).catch(() => {});
  }
}
