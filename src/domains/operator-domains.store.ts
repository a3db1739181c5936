import type { Selectable } from "kysely";
import type { AccountsTable, Sql } from "#engines/records/schema.ts";
import { type DomainRow, findHolder, selectDomains } from "./domains.store.ts";
import type { OtherHolder } from "./other-holder.ts";

export type OwnerRow = Pick<Selectable<AccountsTable>, "no" | "id" | "plan_id">;

/** An account that is being removed no longer counts. */
const selectAccounts = (sql: Sql) =>
  sql.selectFrom("accounts as a").select(["a.no", "a.id", "a.plan_id"]).where("a.removed_at", "is", null);

export const findAccountById = (sql: Sql, id: string): Promise<OwnerRow | undefined> =>
  selectAccounts(sql).where("a.id", "=", id).executeTakeFirst();

export const findAccountOfDomain = (sql: Sql, domainId: string): Promise<OwnerRow | undefined> =>
  selectAccounts(sql).innerJoin("domains as d", "d.account_no", "a.no").where("d.id", "=", domainId).executeTakeFirst();

export async function findOtherHolder(sql: Sql, { no, name }: DomainRow): Promise<OtherHolder | undefined> {
  const holder = await findHolder(sql, name);
  if (!holder || holder.no === no) return undefined;
  const { id } = await sql
    .selectFrom("accounts")
    .select("id")
    .where("no", "=", holder.account_no)
    .executeTakeFirstOrThrow();
  return { account_id: id, domain_id: holder.id, link_count: holder.link_count };
}

export const listDomainsWithAccount = (
  sql: Sql,
  accountNo: number | null,
): Promise<(DomainRow & { readonly account_id: string })[]> =>
  selectDomains(sql)
    .innerJoin("accounts", "accounts.no", "domains.account_no")
    .select("accounts.id as account_id")
    .$if(accountNo !== null, (query) => query.where("domains.account_no", "=", accountNo ?? 0))
    .orderBy("domains.name")
    .orderBy("domains.no")
    .execute();
