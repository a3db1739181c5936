import type { Sql } from "#engines/records/schema.ts";

/** Gives a shared report another address. */
export async function readdressShare(tx: Sql, id: string, token: string): Promise<void> {
  await tx.updateTable("shares").set({ token }).where("id", "=", id).execute();
}
