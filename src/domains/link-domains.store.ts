import { sql as raw } from "kysely";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

// As literals, since a planner only uses a partial index if it sees that its condition holds.
const selectDefault = statement((sql, { accountNo }: { accountNo: number }) =>
  sql
    .selectFrom("domains")
    .select(["no", "name"])
    .where("account_no", "=", accountNo)
    .where("is_default", "=", raw.lit(1))
    .where("status", "=", raw.lit("verified" as const)),
);

export interface NamedDomain {
  readonly no: number;
  readonly name: string;
}

export async function findDefault(sql: Sql, accountNo: number): Promise<NamedDomain | undefined> {
  const [found] = await selectDefault(sql, { accountNo });
  return found;
}

export const findOwn = (sql: Sql, accountNo: number, name: string) =>
  sql
    .selectFrom("domains")
    .select(["no", "name", "status", "last_problem"])
    .where("account_no", "=", accountNo)
    .where("name", "=", name)
    .executeTakeFirst();

export const hasDomain = async (sql: Sql, no: number): Promise<boolean> =>
  (await sql.selectFrom("domains").select("no").where("no", "=", no).executeTakeFirst()) !== undefined;

/** The verified claim on the name of a domain, which may be another account's. */
export const findHolderOf = (sql: Sql, domainNo: number) =>
  sql
    .selectFrom("domains as claim")
    .innerJoin("domains as holder", "holder.name", "claim.name")
    .innerJoin("accounts", "accounts.no", "holder.account_no")
    .select([
      "holder.no",
      "holder.name",
      "holder.not_found_redirect_url",
      "holder.expired_redirect_url",
      "holder.blocked_urls",
      "accounts.suspended_at",
    ])
    .where("claim.no", "=", domainNo)
    .where("holder.status", "=", raw.lit("verified" as const))
    .executeTakeFirst();

/** Those of the names that the account has claimed. */
export async function findNames(sql: Sql, accountNo: number, names: readonly string[]): Promise<string[]> {
  const rows = await sql
    .selectFrom("domains")
    .select("name")
    .where("account_no", "=", accountNo)
    .where("name", "in", names)
    .execute();
  return rows.map(({ name }) => name);
}

export async function listNumbers(sql: Sql, accountNo: number): Promise<number[]> {
  const rows = await sql.selectFrom("domains").select("no").where("account_no", "=", accountNo).execute();
  return rows.map(({ no }) => no);
}
