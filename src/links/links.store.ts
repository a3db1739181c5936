import type { Insertable, Updateable } from "kysely";
import type { LinksTable, Sql } from "#engines/records/schema.ts";
import { foldCase } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";

/** Everything but the search text, which is large and only looked through. */
export const linkColumns = [
  "no",
  "id",
  "account_no",
  "slug",
  "destination_url",
  "title",
  "tags",
  "utm",
  "state",
  "state_before_archive",
  "expires_at",
  "blocked_reason",
  "blocked_at",
  "blocked_by",
  "click_count",
  "last_clicked_at",
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "paused_at",
  "archived_at",
] as const satisfies readonly (keyof LinkRow)[];

/** Returns nothing when the slug is taken; the transaction stays usable. */
export async function insertLink(tx: Sql, row: Insertable<LinksTable>): Promise<LinkRow | undefined> {
  const inserted = await tx
    .insertInto("links")
    .values(row)
    .onConflict((on) => on.column("slug").doNothing())
    .returning(linkColumns)
    .executeTakeFirst();
  if (!inserted) return undefined;
  // After the insert, so that a deletion under way at the same time has had to come first.
  if (!(await isTombstoned(tx, row.slug))) return inserted;
  await deleteLinkRow(tx, inserted.no);
  return undefined;
}

export const findLink = (sql: Sql, accountNo: number, id: string): Promise<LinkRow | undefined> =>
  sql
    .selectFrom("links")
    .select(linkColumns)
    .where("id", "=", id)
    .where("account_no", "=", accountNo)
    .executeTakeFirst();

/** Raises the version; guarded by the version that was read, so that no other change is overwritten. */
export async function updateLink(tx: Sql, row: LinkRow, values: Updateable<LinksTable>): Promise<LinkRow> {
  return tx
    .updateTable("links")
    .set({ ...values, version: row.version + 1 })
    .where("no", "=", row.no)
    .where("version", "=", row.version)
    .returning(linkColumns)
    .executeTakeFirstOrThrow();
}

export async function replaceTags(tx: Sql, { no, account_no }: LinkRow, tags: readonly string[]): Promise<void> {
  await tx.deleteFrom("link_tags").where("link_no", "=", no).execute();
  await insertTags(tx, no, account_no, tags);
}

export async function insertTags(tx: Sql, linkNo: number, accountNo: number, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((tag) => ({ account_no: accountNo, tag: foldCase(tag), link_no: linkNo }));
  await tx.insertInto("link_tags").values(rows).execute();
}

/** The slug is kept for ever: giving a printed address to somebody else would be a gift to phishers. */
export async function buryLink(tx: Sql, { no, slug }: LinkRow, at: number): Promise<void> {
  await deleteLinkRow(tx, no);
  await tx.insertInto("tombstones").values({ slug, deleted_at: at }).execute();
}

const deleteLinkRow = async (tx: Sql, no: number): Promise<void> => {
  await tx.deleteFrom("links").where("no", "=", no).execute();
};

const isTombstoned = async (tx: Sql, slug: string): Promise<boolean> =>
  (await tx.selectFrom("tombstones").select("slug").where("slug", "=", slug).executeTakeFirst()) !== undefined;
