import { PostgresAdapter } from "kysely";
import type { Sql } from "./schema.ts";

/** For the few statements that must differ. */
export const isPostgres = (sql: Sql): boolean => sql.getExecutor().adapter instanceof PostgresAdapter;

/** Whether several writers are at work, and one can lock rows and skip those that others have locked. */
export const hasRowLocks = isPostgres;

/** Whether values may be arrays, so that one statement can change many rows, each in its own way. */
export const hasArrays = isPostgres;
