import { CompiledQuery } from "kysely";
import { isPostgres } from "./engine-kind.ts";
import type { Sql } from "./schema.ts";
import { execute } from "./statement.ts";

/**
 * For the rest of the transaction, joins look up each row by an index. Other ways read a whole index if a table is small,
 * which may conflict with everyone who inserts into it.
 */
export async function joinByIndex(tx: Sql): Promise<void> {
  if (isPostgres(tx)) {
    await execute(tx, CompiledQuery.raw("set local enable_hashjoin = off; set local enable_mergejoin = off"));
  }
}
