import type { Sql } from "#engines/records/schema.ts";

/** One that is being removed no longer counts. */
export const findAccountByNo = (sql: Sql, accountNo: number) =>
  sql
    .selectFrom("accounts")
    .select(["id", "plan_id"])
    .where("no", "=", accountNo)
    .where("removed_at", "is", null)
    .executeTakeFirst();
