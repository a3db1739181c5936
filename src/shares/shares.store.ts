import type { Selectable } from "kysely";
import { linksAndTrash } from "#engines/records/links-and-trash.ts";
import type { SharesTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

export type ShareRow = Selectable<SharesTable>;

export async function insertShare(tx: Sql, row: ShareRow): Promise<void> {
  await tx.insertInto("shares").values(row).execute();
}

export async function countSharesOfLink(tx: Sql, linkNo: number): Promise<number> {
  const { found } = await tx
    .selectFrom("shares")
    .select((eb) => eb.fn.countAll<number | string>().as("found"))
    .where("link_no", "=", linkNo)
    .executeTakeFirstOrThrow();
  return Number(found);
}

/** The newest first. */
export const listSharesOfLink = (sql: Sql, linkNo: number): Promise<ShareRow[]> =>
  sql.selectFrom("shares").selectAll().where("link_no", "=", linkNo).orderBy("id", "desc").execute();

interface PageQuestion {
  readonly accountNo: number;
  /** The last share of the page before. */
  readonly after: string | undefined;
  readonly most: number;
}

/** The newest first, with the ids of their links; those of links in the trash are left out. */
export const listSharesOfAccount = (sql: Sql, { accountNo, after, most }: PageQuestion) =>
  sql
    .selectFrom("shares")
    .innerJoin("links", "links.no", "shares.link_no")
    .selectAll("shares")
    .select("links.id as link_id")
    .where("shares.account_no", "=", accountNo)
    .$if(after !== undefined, (query) => query.where("shares.id", "<", after ?? ""))
    .orderBy("shares.id", "desc")
    .limit(most)
    .execute();

/** Its link, or nothing if there is no such share. */
export async function deleteShare(tx: Sql, accountNo: number, id: string) {
  const deleted = await tx
    .deleteFrom("shares")
    .where("account_no", "=", accountNo)
    .where("id", "=", id)
    .returning("link_no")
    .executeTakeFirst();
  if (!deleted) return undefined;
  return linksAndTrash((table) => tx.selectFrom(table).select(["id", "key"]).where("no", "=", deleted.link_no))
    .limit(1)
    .executeTakeFirstOrThrow();
}

const selectShared = statement((sql, { token }: { token: string }) =>
  sql
    .selectFrom("shares")
    .innerJoin("links", "links.no", "shares.link_no")
    .innerJoin("accounts", "accounts.no", "shares.account_no")
    .select([
      "shares.id",
      "shares.account_no",
      "shares.password_hash",
      "shares.min_visitors",
      "shares.timezone",
      "shares.expires_at",
      "links.id as link_id",
    ])
    .where("shares.token", "=", token)
    .where("accounts.suspended_at", "is", null)
    .where("accounts.removed_at", "is", null),
);

/** Nothing for a link in the trash, or of an account that is suspended or being removed. */
export const findShared = async (sql: Sql, token: string) => (await selectShared(sql, { token }))[0];
export type SharedRow = NonNullable<Awaited<ReturnType<typeof findShared>>>;
