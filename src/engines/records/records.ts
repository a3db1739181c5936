import type { Kysely, RawBuilder } from "kysely";
import type { Sql } from "./schema.ts";

export interface WriteOptions {
  readonly queue?: string;
  /** Of hundreds of changes, which a busy server may need most of a minute for. */
  readonly isLarge?: boolean;
}

/** The engine for accounts, tokens, links and everything else that must never be lost or partially written. */
export interface Records {
  /** For point reads and short index ranges; never waits for a writer. */
  readonly read: Sql;
  /** For slow reads (search, filtered lists); runs off the event loop. */
  readonly scan: Sql;
  /**
   * Runs `work` in one transaction, as if no other ran at the same time. It may run more than once before it succeeds, so
   * it changes nothing outside the transaction (see `afterCommit`). When the promise resolves, the change is durable and
   * no local cache is stale. Those that often meet in the same rows name a `queue`, and wait for each other instead.
   */
  write<T>(work: (tx: Sql) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Resolves when every `write` of this process that began before has ended. */
  finishWrites(): Promise<void>;
  /** Numbers of the account's links that may contain `text` (lower case, at least three characters). */
  textCandidates(accountNo: number, text: string): RawBuilder<{ no: number }>;
  /** The numbers as a subquery. */
  numbered(numbers: readonly number[]): RawBuilder<{ no: number }>;
  /** Removes deleted links from the text index; stops early if `stopping` is aborted. */
  forgetDeletedText(stopping: AbortSignal): Promise<void>;
  /** Schedules a rewrite of the file for when it is closed: unused parts may contain copies of deleted data. */
  noteErasure(): void;
  /** Up to `most` lines about what is damaged; `null` if the engine's server checks that itself. */
  findDamage(most: number): Promise<readonly string[] | null>;
  /** For a library that runs its own queries, without transactions. On every engine, flags are 0 or 1. */
  readonly library: Kysely<unknown>;
  /** On a server: whether it accepted the last connection. */
  readonly isUp?: () => boolean;
  close(): Promise<void>;
}

/**
 * The engine is temporarily unavailable (disk full, locked, unreachable). Nothing was changed, unless the connection was
 * lost after the engine was told to commit: then nobody knows.
 */
export class RecordsUnavailable extends Error {}
