import type { Sql } from "#engines/records/schema.ts";

export const findAccountWithUsage = (sql: Sql, accountNo: number) =>
  sql
    .selectFrom("accounts")
    .leftJoin("account_logos as logo", "logo.account_no", "accounts.no")
    .select(["id", "name", "created_at", "active_links", "webhook_endpoints", "logo.hash as logo_hash"])
    .where("accounts.no", "=", accountNo)
    .executeTakeFirst();

/** What people know the links by. */
export const listLinksByNumber = (sql: Sql, accountNo: number, numbers: readonly number[]) =>
  sql
    .selectFrom("links")
    .select(["no", "id", "slug", "title"])
    .where("no", "in", numbers)
    .where("account_no", "=", accountNo)
    .execute();
