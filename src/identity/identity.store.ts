import type { Sql } from "#engines/records/schema.ts";

export const getTokenWithAccount = (sql: Sql, { tokenId, accountNo }: { tokenId: string; accountNo: number }) =>
  sql
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.no", "tokens.account_no")
    .selectAll("tokens")
    .select([
      "accounts.id as account_id",
      "accounts.name as account_name",
      "accounts.created_at as account_created_at",
      "accounts.active_links",
      "accounts.webhook_endpoints",
      "accounts.domains",
    ])
    .where("tokens.id", "=", tokenId)
    .where("tokens.account_no", "=", accountNo)
    .executeTakeFirstOrThrow();
