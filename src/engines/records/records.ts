import type { RawBuilder } from "kysely";
import type { Sql } from "./schema.ts";

/** The engine for accounts, tokens, links and everything else that must never be lost or half-written. */
export interface Records {
  /** Point reads and short index ranges; never waits for a writer. */
  readonly read: Sql;
  /** Reads that may take long (search, filtered lists); kept off the event loop. */
  readonly scan: Sql;
  /** Runs `work` in one transaction. When it resolves, the change is durable and every local cache has let go of it. */
  write<T>(work: (tx: Sql) => Promise<T>): Promise<T>;
  /** Numbers of the account's links that may contain `text` (lower case, at least three characters). */
  textCandidates(accountNo: number, text: string): RawBuilder<{ no: number }>;
  /** The numbers as a subquery. */
  numbered(numbers: readonly number[]): RawBuilder<{ no: number }>;
  /** Drops what the text index still holds of links that were deleted before; ends early when `stopping` says so. */
  forgetDeletedText(stopping: AbortSignal): Promise<void>;
  /** Has the files rewritten once nobody uses them: unused parts of them may hold copies of what was deleted. */
  noteErasure(): void;
  close(): Promise<void>;
}

/** The engine cannot serve right now (disk full, locked, unreachable); nothing was changed. */
export class RecordsUnavailable extends Error {}
