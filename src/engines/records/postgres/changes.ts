import { CompiledQuery, type Kysely } from "kysely";
import { sharedRuns } from "#kernel/shared-runs.ts";
import type { Database } from "../schema.ts";
import { execute } from "../statement.ts";

/**
 * Numbers the changes that were committed before. A transaction can't number its own: it neither knows those of others
 * that aren't committed yet, nor, at SERIALIZABLE, those that were since it began. As one message, it is one transaction
 * and one round trip; its isolation is that of no role's or database's default.
 */
export const NUMBER_CHANGES =
  "begin isolation level read committed; set local statement_timeout = 5000; select number_changes(); commit";

/** Concurrent writers of a process share a run. */
export const changeNumbering = (sql: Kysely<Database>): (() => Promise<void>) =>
  sharedRuns(async () => {
    await execute(sql, CompiledQuery.raw(NUMBER_CHANGES));
  });
