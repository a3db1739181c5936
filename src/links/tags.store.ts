import { sql as raw, type Selectable } from "kysely";
import { containsPattern } from "#engines/records/like.ts";
import type { Sql, TagChangesTable } from "#engines/records/schema.ts";
import { foldCase } from "./link-fields.ts";

export interface TagRow {
  readonly tag: string;
  readonly links: number;
  readonly clicks: number;
}

export interface TagRange {
  readonly accountNo: number;
  /** In lower case. */
  readonly text: string;
  /** The name before the first. */
  readonly after: string;
  readonly most: number;
}

/** Tags of links, by name, with their counts. */
export async function listUsedTags(sql: Sql, { accountNo, text, after, most }: TagRange): Promise<TagRow[]> {
  const rows = await sql
    .selectFrom("link_tags")
    .innerJoin("link_counts", "link_counts.link_no", "link_tags.link_no")
    .select((eb) => ["tag", eb.fn.countAll<number>().as("links"), eb.fn.sum<number>("click_count").as("clicks")])
    .where("link_tags.account_no", "=", accountNo)
    .where("tag", ">", after)
    .$if(text !== "", (query) => query.where(raw<boolean>`tag like ${containsPattern(text)} escape '\\'`))
    .groupBy("tag")
    .orderBy("tag")
    .limit(most)
    .execute();
  return rows.map(({ tag, links, clicks }) => ({ tag, links: Number(links), clicks: Number(clicks) }));
}

export async function findUsedTag(sql: Sql, accountNo: number, tag: string): Promise<TagRow | undefined> {
  const { links, clicks } = await sql
    .selectFrom("link_tags")
    .innerJoin("link_counts", "link_counts.link_no", "link_tags.link_no")
    .select((eb) => [
      eb.fn.countAll<number>().as("links"),
      eb.fn.coalesce(eb.fn.sum<number>("click_count"), eb.lit(0)).as("clicks"),
    ])
    .where("link_tags.account_no", "=", accountNo)
    .where("tag", "=", tag)
    .executeTakeFirstOrThrow();
  return Number(links) === 0 ? undefined : { tag, links: Number(links), clicks: Number(clicks) };
}

export const isTagUsed = async (sql: Sql, accountNo: number, tag: string): Promise<boolean> =>
  (await listLinksWithTag(sql, { accountNo, tag, afterNo: 0, most: 1 })).length > 0;

interface TagColorRow {
  readonly tag: string;
  readonly color: string | null;
}

/** Tags whose color the account decided, by name; of some, that they have none. */
export const listDecidedTags = (sql: Sql, range: TagRange): Promise<TagColorRow[]> => decidedTags(sql, range).execute();

/** Those that have one, even without links. */
export const listColoredTags = (sql: Sql, range: TagRange): Promise<TagColorRow[]> =>
  decidedTags(sql, range).where("color", "is not", null).execute();

const decidedTags = (sql: Sql, { accountNo, text, after, most }: TagRange) =>
  sql
    .selectFrom("tags")
    .select(["tag", "color"])
    .where("account_no", "=", accountNo)
    .where("tag", ">", after)
    .$if(text !== "", (query) => query.where(raw<boolean>`tag like ${containsPattern(text)} escape '\\'`))
    .orderBy("tag")
    .limit(most);

export const findColors = (sql: Sql, accountNo: number, tags: readonly string[]): Promise<TagColorRow[]> =>
  sql
    .selectFrom("tags")
    .select(["tag", "color"])
    .where("account_no", "=", accountNo)
    .where("tag", "in", tags)
    .execute();

export async function saveColor(tx: Sql, accountNo: number, { tag, color }: TagColorRow): Promise<void> {
  await tx
    .insertInto("tags")
    .values({ account_no: accountNo, tag, color })
    .onConflict((on) => on.columns(["account_no", "tag"]).doUpdateSet({ color }))
    .execute();
}

export async function forgetTag(tx: Sql, accountNo: number, tag: string): Promise<void> {
  await tx.deleteFrom("tags").where("account_no", "=", accountNo).where("tag", "=", tag).execute();
}

export type TagChangeRow = Selectable<TagChangesTable>;

export const listTagChanges = (sql: Sql, accountNo: number): Promise<TagChangeRow[]> =>
  sql.selectFrom("tag_changes").selectAll().where("account_no", "=", accountNo).execute();

/** The oldest ones, of all accounts that aren't being removed. */
export const listAllTagChanges = (sql: Sql, most: number): Promise<TagChangeRow[]> =>
  sql
    .selectFrom("tag_changes")
    .innerJoin("accounts", "accounts.no", "tag_changes.account_no")
    .selectAll("tag_changes")
    .where("accounts.removed_at", "is", null)
    .orderBy("started_at")
    .limit(most)
    .execute();

export async function insertTagChange(tx: Sql, row: TagChangeRow): Promise<void> {
  await tx.insertInto("tag_changes").values(row).execute();
}

type ChangeKey = Pick<TagChangeRow, "account_no" | "tag">;

export const findTagChange = (tx: Sql, { account_no, tag }: ChangeKey): Promise<TagChangeRow | undefined> =>
  tx
    .selectFrom("tag_changes")
    .selectAll()
    .where("account_no", "=", account_no)
    .where("tag", "=", tag)
    .executeTakeFirst();

export async function moveTagChange(tx: Sql, { account_no, tag }: ChangeKey, afterNo: number): Promise<void> {
  const set = { after_no: afterNo };
  await tx.updateTable("tag_changes").set(set).where("account_no", "=", account_no).where("tag", "=", tag).execute();
}

export async function deleteTagChange(tx: Sql, { account_no, tag }: ChangeKey): Promise<void> {
  await tx.deleteFrom("tag_changes").where("account_no", "=", account_no).where("tag", "=", tag).execute();
}

interface TaggedRange {
  readonly accountNo: number;
  readonly tag: string;
  readonly afterNo: number;
  readonly most: number;
}

/** Links with a tag, by number. */
export const listLinksWithTag = (
  sql: Sql,
  { accountNo, tag, afterNo, most }: TaggedRange,
): Promise<{ no: number; id: string }[]> =>
  sql
    .selectFrom("link_tags")
    .innerJoin("links", "links.no", "link_tags.link_no")
    .select(["links.no", "links.id"])
    .where("link_tags.account_no", "=", accountNo)
    .where("link_tags.tag", "=", foldCase(tag))
    .where("link_tags.link_no", ">", afterNo)
    .orderBy("link_tags.link_no")
    .limit(most)
    .execute();
