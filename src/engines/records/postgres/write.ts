import type { Kysely } from "kysely";
import { plannedActions } from "../after-commit.ts";
import { RecordsUnavailable } from "../records.ts";
import type { Database, Sql } from "../schema.ts";
import { sendAtOnce } from "../statement.ts";
import { isConflict, isDuplicate } from "./errors.ts";

// Far more than conflicts of a few nodes need. The deadline is within what clients wait for an answer.
const ATTEMPTS_MAX = 40;
const DUPLICATES_MAX = 3;
const DEADLINE_MS = 8000;
const PAUSE_MS_MAX = 100;

interface Committed<T> {
  readonly result: T;
  readonly actions: readonly (() => void)[];
}

/**
 * Runs a transaction, again if it conflicts with another one. Not if its connection is lost: the server may have
 * committed, and only the caller knows whether it may be done twice (an idempotency key, a position, a lease).
 */
export async function writeSerializably<T>(
  writer: Kysely<Database>,
  work: (tx: Sql) => Promise<T>,
): Promise<Committed<T>> {
  const startedMs = performance.now();
  let duplicates = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(writer, work);
    } catch (error) {
      if (isDuplicate(error)) duplicates += 1;
      else if (!isConflict(error)) throw error;
      if (duplicates > DUPLICATES_MAX) throw error;
      if (attempt === ATTEMPTS_MAX || performance.now() - startedMs > DEADLINE_MS) {
        throw new RecordsUnavailable("too many writes of the same records at once", { cause: error });
      }
      await Bun.sleep(Math.random() * Math.min(PAUSE_MS_MAX, 2 ** attempt));
    }
  }
}

const runOnce = <T>(writer: Kysely<Database>, work: (tx: Sql) => Promise<T>): Promise<Committed<T>> =>
  writer.transaction().execute(async (tx) => {
    await sendAtOnce(tx);
    const result = await work(tx);
    return { result, actions: plannedActions(tx) };
  });
