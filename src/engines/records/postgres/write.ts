import type { Kysely } from "kysely";
import { plannedActions } from "../after-commit.ts";
import { RecordsUnavailable } from "../records.ts";
import type { Database, Sql } from "../schema.ts";
import { sendAtOnce } from "../statement.ts";
import { isConflict, isDuplicate, isLost } from "./errors.ts";

// Far more than conflicts of a few nodes need. The deadline is within what clients wait for an answer.
const ATTEMPTS_MAX = 40;
const DUPLICATES_MAX = 3;
const LOSSES_MAX = 1;
// The server ends an idle transaction after four seconds. Later, it is the server that doesn't answer.
const LOSS_MS_MAX = 5000;
const DEADLINE_MS = 8000;
const PAUSE_MS_MAX = 100;

interface Committed<T> {
  readonly result: T;
  readonly actions: readonly (() => void)[];
}

/**
 * Runs a transaction, again if it conflicts with another one or its connection is lost before the commit was sent. Not if
 * it is lost after that: the server may have committed, and only the caller knows whether it may be done twice (an
 * idempotency key, a position, a lease).
 */
export async function writeSerializably<T>(
  writer: Kysely<Database>,
  work: (tx: Sql) => Promise<T>,
): Promise<Committed<T>> {
  const startedMs = performance.now();
  let duplicates = 0;
  let losses = 0;
  for (let attempt = 1; ; attempt += 1) {
    // Begun, and its commit isn't sent yet.
    let isOpen = false;
    try {
      return await writer.transaction().execute(async (tx) => {
        isOpen = true;
        await sendAtOnce(tx);
        const result = await work(tx);
        isOpen = false;
        return { result, actions: plannedActions(tx) };
      });
    } catch (error) {
      const elapsedMs = performance.now() - startedMs;
      const isLoss = isOpen && error instanceof RecordsUnavailable && isLost(error.cause);
      if (isLoss) losses += 1;
      else if (isDuplicate(error)) duplicates += 1;
      else if (!isConflict(error)) throw error;
      if (duplicates > DUPLICATES_MAX || losses > LOSSES_MAX || (isLoss && elapsedMs > LOSS_MS_MAX)) throw error;
      if (attempt === ATTEMPTS_MAX || elapsedMs > DEADLINE_MS) {
        throw new RecordsUnavailable("too many writes of the same records at once", { cause: error });
      }
      await Bun.sleep(isLoss ? PAUSE_MS_MAX : Math.random() * Math.min(PAUSE_MS_MAX, 2 ** attempt));
    }
  }
}
