import { CompiledQuery, type Kysely } from "kysely";
import type { Database } from "./schema.ts";
import { execute } from "./statement.ts";

/**
 * Numbers the changes that were committed before the call. A transaction can't number its own: it neither knows those of
 * others that aren't committed yet, nor, at SERIALIZABLE, those that were since it began. As one message, it is one
 * transaction and one round trip; its isolation is that of no role's or database's default.
 */
const NUMBER = CompiledQuery.raw(
  "begin isolation level read committed; set local statement_timeout = '5s'; select number_changes(); commit",
);

/** Calls while one is running share the next. */
export function changeNumbering(sql: Kysely<Database>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      await execute(sql, NUMBER);
    } finally {
      running = next;
      next = undefined;
    }
  };

  return () => {
    if (running === undefined) {
      running = run();
      return running;
    }
    next ??= running.then(run, run);
    return next;
  };
}
