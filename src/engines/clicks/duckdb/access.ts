import type { DuckDBConnection } from "@duckdb/node-api";
import { type Gate, gate } from "#kernel/gate.ts";
import { ClicksMigrating, ClicksUnavailable } from "../clicks-engine.ts";
import {
  type DatabaseOptions,
  isFatal,
  type OpenDatabase,
  openDatabase,
  type RunningMigration,
  toClicksError,
} from "./database.ts";
import { inTransaction, type Session } from "./session.ts";
import { SnapshotRead } from "./snapshot.ts";

export interface AccessOptions extends DatabaseOptions {
  readonly reportThreads: number;
  readonly reportsMax: number;
  readonly reportTimeoutMs: number;
}

export interface Snapshot extends Session {
  /** Adds threads, for a report over millions of rows. */
  addThreads(): Promise<void>;
}

/** Runs `work` while no one else writes. */
export type WithoutWriters = <T>(work: () => Promise<T>) => Promise<T>;

const READERS_WAITING_MAX = 64;
const EXTRA_THREADS_MS = 5000;
const INTERRUPT_EVERY_MS = 20;

const migrationSuspended = (): ClicksUnavailable =>
  new ClicksUnavailable("The clicks of an earlier release aren't migrated yet; the next start continues with it.");

const engineClosed = (): ClicksUnavailable => new ClicksUnavailable("The clicks engine was closed.");

interface Use {
  readonly database: OpenDatabase;
  readonly idleReaders: DuckDBConnection[];
  readonly readings: Set<SnapshotRead>;
  /** Aborted once no new user may start. */
  readonly retirement: AbortController;
  users: number;
}

/** Coordinates access to the file: one writer at a time, a few concurrent snapshots, and reopening after a fatal error. */
export class DuckDbAccess {
  readonly #options: AccessOptions;
  readonly #writers = gate(1);
  readonly #readers: Gate;
  #current: Promise<Use> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #replacing: OpenDatabase | null = null;
  #onIdle: (() => void) | null = null;
  #hasExtraThreads = false;
  #dropTimer: Timer | null = null;
  #closed = false;
  #migration: RunningMigration | null = null;
  #isMigrationSuspended = false;
  /** Resolves when the file that is being opened turns out to need a migration. */
  #migrationBegins = Promise.withResolvers<void>();

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#readers = gate(options.reportsMax, {
      waitingMax: READERS_WAITING_MAX,
      waitMsMax: options.reportTimeoutMs,
      refusal: () => new ClicksUnavailable("Too many reports are queued."),
    });
  }

  /** Runs `work` in a transaction, as the only writer. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.exclusive(({ writer }) => inTransaction(writer, "begin", work));
  }

  /** Runs `work` as the only writer, without a transaction. */
  exclusive<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    return this.#writers(() => this.#use(({ database }) => work(database)));
  }

  /**
   * Has `write` create a draft of the file while no one else writes, and replaces the file with it as soon as it is
   * unused. Fails, leaving the file as it was, if the engine is closed in the meantime.
   */
  async replaceFile(write: (session: Session) => Promise<void>, putInPlace: () => void): Promise<void> {
    const { replaced } = await this.#writers(() =>
      this.#use(async (use) => {
        this.#replacing = use.database;
        try {
          if (this.#closed) throw engineClosed();
          await write(use.database.writer);
        } finally {
          this.#replacing = null;
        }
        if (use.retirement.signal.aborted) throw engineClosed();
        return { replaced: this.#retire(use, putInPlace) };
      }),
    );
    await replaced;
  }

  /**
   * Runs concurrently with the writer, on its own connection; for one caller at a time. `withoutWriters` keeps writers
   * out. It fails after a fatal error, because the writer ahead may wait for the file to reopen, which waits for this.
   */
  background<T>(work: (session: Session, withoutWriters: WithoutWriters) => Promise<T>): Promise<T> {
    return this.#use(({ database, retirement: { signal } }) => {
      const withoutWriters: WithoutWriters = (part) =>
        this.#writers(async () => {
          signal.throwIfAborted();
          return part();
        }, signal);
      return work(database.background, withoutWriters);
    });
  }

  /** For single fast statements, which don't queue. */
  quickRead<T>(work: (session: Session) => Promise<T>, open = this.#openUnlessMigrating): Promise<T> {
    return this.#use(({ database }) => work(database.quickReader), open);
  }

  /** The same, but waits for a migration. */
  patientRead<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.quickRead(work, this.#open);
  }

  /** Waits until the file can be used. */
  whenOpen(): Promise<void> {
    return this.#use(async () => {});
  }

  /** Ends a migration, which the next start continues, and begins none. */
  suspendMigration(): void {
    this.#isMigrationSuspended = true;
    const opening = this.#current;
    if (!opening) return;
    const interrupting = setInterval(() => this.#migration?.interrupt(), INTERRUPT_EVERY_MS);
    const stop = (): void => clearInterval(interrupting);
    void opening.then(stop, stop);
  }

  /** `work` reads from one snapshot. Fails if it queues or runs for too long, and during a migration. */
  read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#readers(() =>
      this.#use(async (use) => {
        const connection = use.idleReaders.pop() ?? (await use.database.connect());
        const reading = new SnapshotRead(connection);
        use.readings.add(reading);
        try {
          const addThreads = () => this.#addThreads(use);
          return await reading.run((session) => work({ ...session, addThreads }), this.#options.reportTimeoutMs);
        } finally {
          use.readings.delete(reading);
          use.idleReaders.push(connection);
          this.#dropThreadsLater();
        }
      }, this.#openUnlessMigrating),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.suspendMigration();
    // Rewriting the file can take long. Repeated, because DuckDB ignores an interrupt between two statements.
    const interrupting = setInterval(() => this.#replacing?.interruptWriter(), INTERRUPT_EVERY_MS);
    await this.#writers(async () => {});
    clearInterval(interrupting);
    const use = await this.#current?.catch(() => null);
    for (const reading of use?.readings ?? []) reading.abort("The clicks engine is closing.");
    if (use) void this.#retire(use);
    await this.#closing;
  }

  async #use<T>(work: (use: Use) => Promise<T>, open = this.#open): Promise<T> {
    const use = await open();
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

  readonly #openUnlessMigrating = async (): Promise<Use> => {
    const opening = this.#open();
    await Promise.race([opening, this.#migrationBegins.promise]);
    if (!this.#migration) return opening;
    // Whoever waits for it hears of its end.
    opening.catch(() => {});
    throw new ClicksMigrating(percentOf(this.#migration));
  };

  readonly #open = (): Promise<Use> => {
    if (this.#closed) return Promise.reject(new ClicksUnavailable("The clicks engine is closed."));
    if (this.#current) return this.#current;
    this.#migrationBegins = Promise.withResolvers();
    this.#current = this.#closing
      .then(() => openDatabase(this.#options, this.#onMigrating))
      .then((database) => ({
        database,
        idleReaders: [],
        readings: new Set<SnapshotRead>(),
        retirement: new AbortController(),
        users: 0,
      }))
      .catch((error) => {
        this.#current = null;
        throw this.#migration && this.#isMigrationSuspended ? migrationSuspended() : toClicksError(error);
      })
      .finally(() => {
        this.#migration = null;
      });
    return this.#current;
  };

  readonly #onMigrating = (migration: RunningMigration): void => {
    if (this.#isMigrationSuspended) throw migrationSuspended();
    this.#migration = migration;
    this.#migrationBegins.resolve();
  };

  /** Closes the file once it is unused, and optionally replaces it; the next user reopens it. */
  #retire(use: Use, putInPlace?: () => void): Promise<void> {
    if (use.retirement.signal.aborted) return this.#closing;
    use.retirement.abort(engineClosed());
    this.#current = null;
    this.#hasExtraThreads = false;
    if (this.#dropTimer) clearTimeout(this.#dropTimer);
    const idle = use.users === 0 ? Promise.resolve() : new Promise<void>((resolve) => (this.#onIdle = resolve));
    const closing = idle.then(() => {
      this.#onIdle = null;
      use.database.close();
    });
    // Whether or not the replacement succeeded, there is a file to open.
    const replaced = closing.then(putInPlace);
    this.#closing = replaced.catch(() => {});
    return replaced;
  }

  async #addThreads(use: Use): Promise<void> {
    if (this.#hasExtraThreads || this.#options.reportThreads < 2) return;
    this.#hasExtraThreads = true;
    await use.database.setThreads(this.#options.reportThreads);
  }

  /** Starting and stopping threads is expensive, so they stay for a while after the last report. */
  #dropThreadsLater(): void {
    if (this.#dropTimer) clearTimeout(this.#dropTimer);
    if (this.#hasExtraThreads) this.#dropTimer = setTimeout(() => void this.#dropThreads(), EXTRA_THREADS_MS).unref();
  }

  async #dropThreads(): Promise<void> {
    const use = await this.#current?.catch(() => null);
    if (!this.#hasExtraThreads || !use || use.retirement.signal.aborted) return;
    this.#hasExtraThreads = false;
    // A failure only costs some CPU time; the next statement will report its cause.
    await this.#use(({ database }) => database.setThreads(1)).catch(() => {});
  }
}

const percentOf = ({ done, total }: RunningMigration): number => (total === 0 ? 0 : Math.floor((done / total) * 100));
