import type { Updateable } from "kysely";
import type { LinksTable, LinkTagsTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { foldCase } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";

/** Everything but the search text, which is large and only looked through. */
const ownColumns = [
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
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "paused_at",
  "archived_at",
] as const satisfies readonly (keyof LinkRow)[];

/** A link with its counts, where both tables are joined. */
export const linkColumns = [
  ...ownColumns.map((column) => `links.${column}` as const),
  "link_counts.click_count",
  "link_counts.last_clicked_at",
] as const;

export const selectLinkRows = (sql: Sql) =>
  sql.selectFrom("links").innerJoin("link_counts", "link_counts.link_no", "links.no").select(linkColumns);

/** What a new link is made of; everything else starts empty. */
export type NewLinkRow = Pick<LinksTable, (typeof newLinkColumns)[number]>;

const newLinkColumns = [
  "id",
  "account_no",
  "slug",
  "destination_url",
  "title",
  "tags",
  "utm",
  "state",
  "expires_at",
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "search_text",
] as const satisfies readonly (keyof LinksTable)[];

const insertUnlessTaken = statement((sql, row: NewLinkRow) =>
  sql
    .insertInto("links")
    .values(Object.fromEntries(newLinkColumns.map((column) => [column, row[column]])) as unknown as NewLinkRow)
    .onConflict((on) => on.column("slug").doNothing())
    .returning(ownColumns),
);

const selectTombstone = statement((sql, { slug }: { slug: string }) =>
  sql.selectFrom("tombstones").select("slug").where("slug", "=", slug),
);

const insertTag = statement((sql, { account_no, tag, link_no }: LinkTagsTable) =>
  sql.insertInto("link_tags").values({ account_no, tag, link_no }),
);

const selectLink = statement((sql, { accountNo, id }: { accountNo: number; id: string }) =>
  selectLinkRows(sql).where("links.id", "=", id).where("links.account_no", "=", accountNo),
);

/** Returns nothing when the slug is taken; the transaction stays usable. */
export async function insertLink(tx: Sql, row: NewLinkRow): Promise<LinkRow | undefined> {
  const [inserted] = await insertUnlessTaken(tx, row);
  if (!inserted) return undefined;
  // After the insert, so that a deletion under way at the same time has had to come first.
  const [tombstone] = await selectTombstone(tx, { slug: row.slug });
  if (!tombstone) return { ...inserted, click_count: 0, last_clicked_at: 0 };
  await deleteLinkRow(tx, inserted.no);
  return undefined;
}

export async function findLink(sql: Sql, accountNo: number, id: string): Promise<LinkRow | undefined> {
  const [found] = await selectLink(sql, { accountNo, id });
  return found;
}

/** Raises the version; guarded by the version that was read, so that no other change is overwritten. */
export async function updateLink(tx: Sql, row: LinkRow, values: Updateable<LinksTable>): Promise<LinkRow> {
  const { click_count, last_clicked_at } = row;
  const updated = await tx
    .updateTable("links")
    .set({ ...values, version: row.version + 1 })
    .where("no", "=", row.no)
    .where("version", "=", row.version)
    .returning(ownColumns)
    .executeTakeFirstOrThrow();
  return { ...updated, click_count, last_clicked_at };
}

export async function replaceTags(tx: Sql, { no, account_no }: LinkRow, tags: readonly string[]): Promise<void> {
  await tx.deleteFrom("link_tags").where("link_no", "=", no).execute();
  await insertTags(tx, no, account_no, tags);
}

export async function insertTags(tx: Sql, linkNo: number, accountNo: number, tags: readonly string[]): Promise<void> {
  for (const tag of tags) await insertTag(tx, { account_no: accountNo, tag: foldCase(tag), link_no: linkNo });
}

/** The slug is kept for ever: giving a printed address to somebody else would be a gift to phishers. */
export async function buryLink(tx: Sql, { no, account_no, slug }: LinkRow, at: number): Promise<void> {
  await deleteLinkRow(tx, no);
  await tx.insertInto("click_erasures").values({ link_no: no, account_no }).execute();
  await tx.insertInto("tombstones").values({ slug, deleted_at: at }).execute();
}

const deleteLinkRow = async (tx: Sql, no: number): Promise<void> => {
  await tx.deleteFrom("links").where("no", "=", no).execute();
};
