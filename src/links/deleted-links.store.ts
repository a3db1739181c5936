import { sql as raw } from "kysely";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import { foldCase } from "./link-fields.ts";
import type { DeletedRow, LinkRow } from "./link-record.ts";
import { ownColumns, selectLinkRows } from "./links.store.ts";

const selectDeleted = (sql: Sql) =>
  sql
    .selectFrom("deleted_links")
    .select([...ownColumns, "click_count", "last_clicked_at", "used_clicks", "deleted_at"]);

export const findDeletedLink = (sql: Sql, accountNo: number, id: string): Promise<DeletedRow | undefined> =>
  selectDeleted(sql).where("id", "=", id).where("account_no", "=", accountNo).executeTakeFirst();

const selectWherever = statement((sql, { accountNo, id }: { accountNo: number; id: string }) =>
  selectLinkRows(sql)
    .select(raw<number | null>`cast(null as bigint)`.as("deleted_at"))
    .where("links.id", "=", id)
    .where("links.account_no", "=", accountNo)
    .unionAll(selectDeleted(sql).where("id", "=", id).where("account_no", "=", accountNo)),
);

/** In one statement, since between two the link may move to the trash or out of it. */
export async function findWherever(sql: Sql, accountNo: number, id: string): Promise<LinkRow | DeletedRow | undefined> {
  const [found] = await selectWherever(sql, { accountNo, id });
  if (found === undefined) return undefined;
  const { deleted_at, ...link } = found;
  return deleted_at === null ? link : { ...link, deleted_at };
}

/** Of any account. */
export const findDeletedById = (sql: Sql, id: string): Promise<DeletedRow | undefined> =>
  selectDeleted(sql).where("id", "=", id).executeTakeFirst();

/** Of any account. */
export const findDeletedByKey = (sql: Sql, key: LinkKey): Promise<DeletedRow | undefined> =>
  selectDeleted(sql).where("key", "=", key).executeTakeFirst();

/** Those that were deleted by then, the longest ago first. */
export const listDeletedUpTo = (sql: Sql, deletedAt: number, most: number): Promise<DeletedRow[]> =>
  selectDeleted(sql).where("deleted_at", "<=", deletedAt).orderBy("deleted_at").limit(most).execute();

/** A copy of the link, which is still to be removed from the others. */
export async function insertDeleted(tx: Sql, row: LinkRow, at: number): Promise<DeletedRow> {
  const deleted = { ...row, version: row.version + 1, updated_at: at, deleted_at: at };
  const tags = JSON.parse(row.tags) as string[];
  await tx
    .insertInto("deleted_links")
    .values((eb) => ({
      ...deleted,
      search_text: eb.selectFrom("links").select("search_text").where("no", "=", row.no),
      folded_tags: JSON.stringify(tags.map(foldCase)),
    }))
    .execute();
  return deleted;
}

type Block = Pick<LinkRow, "blocked_reason" | "blocked_at" | "blocked_by">;

/** Moves the link back to the others, but for its tags. */
export async function restoreDeleted(tx: Sql, row: DeletedRow, at: number): Promise<LinkRow> {
  const { click_count, last_clicked_at, used_clicks, deleted_at: _, ...own } = row;
  const restored = await tx
    .insertInto("links")
    .values((eb) => ({
      ...own,
      updated_at: at,
      version: row.version + 1,
      search_text: eb.selectFrom("deleted_links").select("search_text").where("no", "=", row.no),
    }))
    .returning(ownColumns)
    .executeTakeFirstOrThrow();
  const counts = { click_count, last_clicked_at, used_clicks };
  await tx.updateTable("link_counts").set(counts).where("link_no", "=", row.no).execute();
  await deleteDeleted(tx, [row]);
  await tx.deleteFrom("tombstones").where("key", "=", row.key).execute();
  return { ...restored, ...counts };
}

export async function updateDeleted(tx: Sql, row: DeletedRow, values: Block): Promise<DeletedRow> {
  const changed = { ...values, version: row.version + 1 };
  await tx.updateTable("deleted_links").set(changed).where("no", "=", row.no).execute();
  return { ...row, ...changed };
}

export async function deleteDeleted(tx: Sql, rows: readonly Pick<DeletedRow, "no">[]): Promise<void> {
  const numbers = rows.map(({ no }) => no);
  if (numbers.length > 0) await tx.deleteFrom("deleted_links").where("no", "in", numbers).execute();
}

/** Of an account that is being removed; returns how many. */
export async function deleteTrashOf(tx: Sql, accountNo: number, most: number): Promise<number> {
  const some = tx.selectFrom("deleted_links").select("no").where("account_no", "=", accountNo).limit(most);
  const { numDeletedRows } = await tx.deleteFrom("deleted_links").where("no", "in", some).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
