import { CompiledQuery } from "kysely";
import { keepActions, plannedActions } from "./after-commit.ts";
import type { Sql } from "./schema.ts";
import { execute } from "./statement.ts";

const SAVE = CompiledQuery.raw("savepoint part");
const RELEASE = CompiledQuery.raw("release savepoint part");
const ROLL_BACK = CompiledQuery.raw("rollback to savepoint part");

/**
 * Runs parts of a transaction in order. What a part that throws has changed is undone, and `caught` returns its result, or
 * throws and so fails the transaction.
 */
export async function eachByItself<T>(
  tx: Sql,
  parts: readonly (() => Promise<T>)[],
  caught: (error: unknown) => T,
): Promise<T[]> {
  const results: T[] = [];
  // A server gets them along with the first statement of the next part: nobody waits for them alone.
  let sent = send(tx, SAVE);
  for (const part of parts) {
    const planned = plannedActions(tx).length;
    try {
      results.push(await part());
    } catch (error) {
      keepActions(tx, planned);
      await execute(tx, ROLL_BACK);
      results.push(caught(error));
    }
    await sent;
    sent = send(tx, RELEASE, SAVE);
  }
  await sent;
  await execute(tx, RELEASE);
  return results;
}

function send(tx: Sql, ...queries: readonly CompiledQuery[]): Promise<unknown> {
  const all = Promise.all(queries.map((query) => execute(tx, query)));
  // It is waited for later, and fails whatever is sent after it until then.
  all.catch(() => {});
  return all;
}
