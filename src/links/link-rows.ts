import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { findWherever } from "./deleted-links.store.ts";
import { type DeletedRow, isDeleted, type LinkRow } from "./link-record.ts";

/** In the trash, too. Another account's link looks like a missing one. */
export async function getRow(
  sql: Sql,
  { accountNo }: Pick<Caller, "accountNo">,
  id: string,
): Promise<LinkRow | DeletedRow> {
  const row = await findWherever(sql, accountNo, id);
  if (!row) throw notFound();
  return row;
}

/** For an action that the trash doesn't allow. */
export async function getLiveRow(sql: Sql, caller: Caller, id: string, action: string): Promise<LinkRow> {
  const row = await getRow(sql, caller, id);
  if (!isDeleted(row)) return row;
  throw new ApiError("invalid_state", "The link is in the trash; restore it first.", {
    state: "deleted",
    action,
    allowed_actions: ["restore"],
  });
}
