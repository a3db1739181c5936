import { DatabaseError } from "pg";
import { RecordsUnavailable } from "../records.ts";

// Classes of SQLSTATE that say something about the server rather than the statement: lost connections, refused sign-ins,
// a missing database, lack of resources, an operator who intervenes, and failures of the system around it.
const UNAVAILABLE = /^(?:08|28|3D|53|57|58)|^(?:25006|25P03|55P03)$/;
const CONFLICT = /^(?:40001|40P01)$/;
const UNIQUE = "23505";

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** Whether the transaction may succeed if it runs again from its start. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(sqlStateOf(error) ?? "");

/**
 * Whether a row with that key exists, although the transaction may have looked for it: another one may have committed it
 * since. If it runs again, it sees the row.
 */
export const isDuplicate = (error: unknown): boolean => sqlStateOf(error) === UNIQUE;

/** Whether the connection must not be used again. */
export const isLost = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|57P)/.test(state) || state === "25P03";
};

/** The library reports lost connections and expired time-outs without a SQLSTATE, and some without any code. */
export function toRecordsError(error: unknown): unknown {
  if (error instanceof RecordsUnavailable) return error;
  const state = sqlStateOf(error);
  if (state !== undefined && !UNAVAILABLE.test(state)) return error;
  return new RecordsUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}
