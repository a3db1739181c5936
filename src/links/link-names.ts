import type { Sql } from "#engines/records/schema.ts";

export interface LinkName {
  readonly id: string;
  readonly slug: string;
  readonly title: string | null;
}

/** What people know links by. Ids of other accounts and unknown ones are left out. */
export const findLinkNames = (sql: Sql, accountNo: number, ids: readonly string[]): Promise<LinkName[]> =>
  sql
    .selectFrom("links")
    .select(["id", "slug", "title"])
    .where("account_no", "=", accountNo)
    .where("id", "in", ids)
    .execute();
