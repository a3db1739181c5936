import type { Sql } from "#engines/records/schema.ts";
import { slugOf } from "#kernel/link-key.ts";

export const findAccountWithUsage = (sql: Sql, accountNo: number) =>
  sql
    .selectFrom("accounts")
    .leftJoin("account_logos as logo", "logo.account_no", "accounts.no")
    .select(["id", "name", "created_at", "active_links", "webhook_endpoints", "domains", "logo.hash as logo_hash"])
    .select(["qr_design", "sso_required"])
    .where("accounts.no", "=", accountNo)
    .executeTakeFirst();

/** What people know the links by. */
export async function listLinksByNumber(sql: Sql, accountNo: number, numbers: readonly number[]) {
  const rows = await sql
    .selectFrom("links")
    .select(["no", "id", "key", "domain_name as domain", "title"])
    .where("no", "in", numbers)
    .where("account_no", "=", accountNo)
    .execute();
  return rows.map(({ key, ...row }) => ({ ...row, slug: slugOf(key) }));
}
