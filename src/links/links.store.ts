import { sql as raw, type Selectable, type Updateable } from "kysely";
import { isPostgres } from "#engines/records/engine-kind.ts";
import { containsPattern } from "#engines/records/like.ts";
import { linksAndTrash } from "#engines/records/links-and-trash.ts";
import type { LinksTable, LinkTagsTable, Sql } from "#engines/records/schema.ts";
import { atOnce, statement, statementForEach } from "#engines/records/statement.ts";
import { type LinkKey, slugOf } from "#kernel/link-key.ts";
import { foldCase } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";

const TAGS_MAX = 100;

/** What people recognise a link by. */
export interface LinkName {
  readonly id: string;
  /** `null` on the instance's own. */
  readonly domain: string | null;
  readonly slug: string;
  readonly title: string | null;
}

export interface TagCount {
  readonly tag: string;
  readonly links: number;
}

/** Everything but the search text, which is large and never returned. */
export const ownColumns = [
  "no",
  "id",
  "account_no",
  "key",
  "domain_no",
  "domain_name",
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
  "settings",
  "password_hash",
  "external_id",
  "notes",
  "created_by",
  "metadata",
] as const satisfies readonly (keyof LinkRow)[];

/** A link with its counts, for queries that join both tables. */
export const linkColumns = [
  ...ownColumns.map((column) => `links.${column}` as const),
  "link_counts.click_count",
  "link_counts.last_clicked_at",
  "link_counts.used_clicks",
] as const;

export const selectLinkRows = (sql: Sql) =>
  sql.selectFrom("links").innerJoin("link_counts", "link_counts.link_no", "links.no").select(linkColumns);

/** The columns a new link sets; everything else starts empty. */
export type NewLinkRow = Pick<Selectable<LinksTable>, (typeof newLinkColumns)[number]>;

const newLinkColumns = [
  "id",
  "account_no",
  "key",
  "domain_no",
  "domain_name",
  "destination_url",
  "title",
  "tags",
  "utm",
  "state",
  "state_before_archive",
  "expires_at",
  "created_via",
  "version",
  "created_at",
  "updated_at",
  "paused_at",
  "archived_at",
  "search_text",
  "settings",
  "password_hash",
  "external_id",
  "notes",
  "created_by",
  "metadata",
] as const satisfies readonly (keyof LinksTable)[];

const insertUnlessTaken = statement((sql, row: NewLinkRow) =>
  sql
    .insertInto("links")
    .values(Object.fromEntries(newLinkColumns.map((column) => [column, row[column]])) as unknown as NewLinkRow)
    .onConflict((on) => on.doNothing())
    .returning(ownColumns),
);

const selectTombstone = statement((sql, { key }: { key: LinkKey }) =>
  sql.selectFrom("tombstones").select(["key", "account_no"]).where("key", "=", key),
);

const insertEachTag = statementForEach((sql, { account_no, tag, link_no }: LinkTagsTable) =>
  sql.insertInto("link_tags").values({ account_no, tag, link_no }),
);

const selectLink = statement((sql, { accountNo, id }: { accountNo: number; id: string }) =>
  selectLinkRows(sql).where("links.id", "=", id).where("links.account_no", "=", accountNo),
);

/** Returns `undefined` if the key or the external id is taken; the transaction stays usable. */
export async function insertLink(tx: Sql, row: NewLinkRow): Promise<LinkRow | undefined> {
  // The tombstone is looked for after the insert, so a concurrent deletion must have finished before it.
  const [[inserted], [tombstone]] = await atOnce(insertUnlessTaken(tx, row), selectTombstone(tx, { key: row.key }));
  if (!inserted) return undefined;
  if (tombstone && !isFreeFor(tombstone, row.account_no)) {
    await deleteLinkRow(tx, inserted.no);
    return undefined;
  }
  if (tombstone) await tx.deleteFrom("tombstones").where("key", "=", row.key).execute();
  return { ...inserted, click_count: 0, last_clicked_at: 0, used_clicks: 0 };
}

/** An account that undid an import may have its addresses again, and nobody else. */
const isFreeFor = ({ account_no }: { readonly account_no: number | null }, accountNo: number): boolean =>
  account_no === accountNo;

export async function findLink(sql: Sql, accountNo: number, id: string): Promise<LinkRow | undefined> {
  const [found] = await selectLink(sql, { accountNo, id });
  return found;
}

export async function findIdOfExternalId(sql: Sql, accountNo: number, externalId: string): Promise<string | undefined> {
  const found = await sql
    .selectFrom("links")
    .select("id")
    .where("account_no", "=", accountNo)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
  return found?.id;
}

/** Of any account. */
export const findLinkById = (tx: Sql, id: string): Promise<LinkRow | undefined> =>
  selectLinkRows(tx).where("links.id", "=", id).executeTakeFirst();

/** Of any account. */
export const findLinkByKey = (tx: Sql, key: LinkKey): Promise<LinkRow | undefined> =>
  selectLinkRows(tx).where("links.key", "=", key).executeTakeFirst();

/** By a hash where the address itself may be too long for an index. */
export const leadsTo = (sql: Sql, destination: string) =>
  isPostgres(sql)
    ? raw<boolean>`md5(destination_url) = md5(${destination}) and destination_url = ${destination}`
    : raw<boolean>`destination_url = ${destination}`;

/** The newest active links with this destination, of those before a number. */
export const findActiveAt = (
  sql: Sql,
  accountNo: number,
  destination: string,
  most: number,
  before: number = Number.MAX_SAFE_INTEGER,
): Promise<LinkRow[]> =>
  selectLinkRows(sql)
    .where("links.account_no", "=", accountNo)
    .where(leadsTo(sql, destination))
    .where("links.no", "<", before)
    .where("links.state", "=", "active")
    .orderBy("links.no", "desc")
    .limit(most)
    .execute();

export const findLinksByNo = (tx: Sql, numbers: readonly number[]): Promise<LinkRow[]> =>
  selectLinkRows(tx).where("links.no", "in", numbers).execute();

export const findLinksOfAccount = (tx: Sql, accountNo: number, most: number): Promise<LinkRow[]> =>
  selectLinkRows(tx).where("links.account_no", "=", accountNo).limit(most).execute();

/** The next links by number, of all accounts, with what a block list decides on. */
export const listBlockStates = (sql: Sql, afterNo: number, most: number) =>
  sql
    .selectFrom("links")
    .select(["no", "destination_url", "settings", "blocked_by", "blocked_reason"])
    .where("no", ">", afterNo)
    .orderBy("no")
    .limit(most)
    .execute();

/** Keys of deleted links stay taken. */
export async function isKeyTaken(sql: Sql, accountNo: number, key: LinkKey): Promise<boolean> {
  const link = await sql.selectFrom("links").select("no").where("key", "=", key).executeTakeFirst();
  if (link) return true;
  const [tombstone] = await selectTombstone(sql, { key });
  return tombstone !== undefined && !isFreeFor(tombstone, accountNo);
}

/** Of deleted links, too. Skips ids that are unknown or belong to another account. */
export async function findLinkNames(sql: Sql, accountNo: number, ids: readonly string[]): Promise<LinkName[]> {
  const rows = await linksAndTrash((table) =>
    sql
      .selectFrom(table)
      .select(["id", "key", "domain_name", "title"])
      .where("account_no", "=", accountNo)
      .where("id", "in", ids),
  ).execute();
  return rows.map(({ id, key, domain_name, title }) => ({ id, domain: domain_name, slug: slugOf(key), title }));
}

/** Where links lead, also those in the trash; skips ids that aren't the account's. */
export async function findDestinationUrls(sql: Sql, accountNo: number, ids: readonly string[]): Promise<string[]> {
  const rows = await linksAndTrash((table) =>
    sql.selectFrom(table).select("destination_url").where("account_no", "=", accountNo).where("id", "in", ids),
  ).execute();
  return rows.map(({ destination_url }) => destination_url);
}

/** Tags in use that contain `text`, most used first; in lower case, as they are indexed. */
export const findTags = (sql: Sql, accountNo: number, text: string): Promise<TagCount[]> =>
  sql
    .selectFrom("link_tags")
    .select((eb) => ["tag", eb.fn.countAll<number>().as("links")])
    .where("account_no", "=", accountNo)
    .$if(text !== "", (query) => query.where(raw<boolean>`tag like ${containsPattern(foldCase(text))} escape '\\'`))
    .groupBy("tag")
    .orderBy("links", "desc")
    .orderBy("tag")
    .limit(TAGS_MAX)
    .execute();

/** Increments the version; guarded by the version that was read, so no concurrent change is overwritten. */
export async function updateLink(tx: Sql, row: LinkRow, values: Updateable<LinksTable>): Promise<LinkRow> {
  const { click_count, last_clicked_at, used_clicks } = row;
  const updated = await tx
    .updateTable("links")
    .set({ ...values, version: row.version + 1 })
    .where("no", "=", row.no)
    .where("version", "=", row.version)
    .returning(ownColumns)
    .executeTakeFirstOrThrow();
  return { ...updated, click_count, last_clicked_at, used_clicks };
}

export async function replaceTags(tx: Sql, { no, account_no }: LinkRow, tags: readonly string[]): Promise<void> {
  await tx.deleteFrom("link_tags").where("link_no", "=", no).execute();
  await insertTags(tx, no, account_no, tags);
}

export async function insertTags(tx: Sql, linkNo: number, accountNo: number, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((tag) => ({ account_no: accountNo, tag: foldCase(tag), link_no: linkNo }));
  await insertEachTag(tx, rows);
}

/** The slug stays taken forever: handing a printed address to someone else would be a gift to phishers. */
export async function buryLink(tx: Sql, { no, key }: Pick<LinkRow, "no" | "key">, at: number): Promise<void> {
  await deleteLinkRow(tx, no);
  await tx.insertInto("tombstones").values({ key, deleted_at: at }).execute();
}

/** Lets the account have the address of an erased link again. */
export async function freeKey(tx: Sql, key: LinkKey, accountNo: number): Promise<void> {
  await tx.updateTable("tombstones").set({ account_no: accountNo }).where("key", "=", key).execute();
}

/** Of a link that was clicked elsewhere; the clicks themselves are counted later. */
export async function setArrivedCounts(
  tx: Sql,
  linkNo: number,
  counts: Pick<LinkRow, "used_clicks" | "last_clicked_at">,
): Promise<void> {
  await tx.updateTable("link_counts").set(counts).where("link_no", "=", linkNo).execute();
}

/** Has the clicks of links erased that nobody can restore any more. */
export async function eraseClicksOf(tx: Sql, rows: readonly Pick<LinkRow, "no" | "account_no">[]): Promise<void> {
  const erasures = rows.map(({ no, account_no }) => ({ link_no: no, account_no }));
  if (erasures.length > 0) await tx.insertInto("click_erasures").values(erasures).execute();
}

const deleteLinkRow = async (tx: Sql, no: number): Promise<void> => {
  await tx.deleteFrom("links").where("no", "=", no).execute();
};

/** Without those in the trash. */
export const findIdsOf = (
  sql: Sql,
  accountNo: number,
  numbers: readonly number[],
): Promise<{ no: number; id: string }[]> =>
  sql.selectFrom("links").select(["no", "id"]).where("account_no", "=", accountNo).where("no", "in", numbers).execute();
