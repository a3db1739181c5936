import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { findDeletedLink, findWherever } from "./deleted-links.store.ts";
import { type DeletedRow, isDeleted, type LinkRow } from "./link-record.ts";
import { findLink } from "./links.store.ts";

type Owner = Pick<Caller, "accountNo">;

/** In the trash, too. Another account's link looks like a missing one. */
export const readRow = async ({ read }: Records, { accountNo }: Owner, id: string): Promise<LinkRow | DeletedRow> =>
  existing(await findWherever(read, accountNo, id));

/**
 * The same within a transaction, which sees one state of both places. It looks into the trash only if it has to: on
 * PostgreSQL, whoever has looked there conflicts with everyone who deletes a link.
 */
export const getRow = async (tx: Sql, { accountNo }: Owner, id: string): Promise<LinkRow | DeletedRow> =>
  existing((await findLink(tx, accountNo, id)) ?? (await findDeletedLink(tx, accountNo, id)));

function existing<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** For an action that the trash doesn't allow. */
export async function getLiveRow(tx: Sql, caller: Caller, id: string, action: string): Promise<LinkRow> {
  const row = await getRow(tx, caller, id);
  if (!isDeleted(row)) return row;
  throw new ApiError("invalid_state", "The link is in the trash; restore it first.", {
    state: "deleted",
    action,
    allowed_actions: ["restore"],
  });
}
