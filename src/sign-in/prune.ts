import type { Sql } from "#engines/records/schema.ts";
import { deleteExpired, deleteRefusals } from "./prune.store.ts";

const REFUSALS_KEPT_MS = 90 * 86_400_000;

/** Part of housekeeping: deletes up to `most` rows of each kind, and returns how many in total. */
export async function pruneSignIn(tx: Sql, now: number, most: number): Promise<number> {
  let count = 0;
  for (const table of ["sessions", "verifications", "invitations"] as const) {
    count += await deleteExpired(tx, table, now, most);
  }
  return count + (await deleteRefusals(tx, now - REFUSALS_KEPT_MS, most));
}
