import { type Insertable, sql as raw, type Selectable, type Updateable } from "kysely";
import type { DomainStatus } from "#contract/domain-record.ts";
import type { DomainsTable, Sql } from "#engines/records/schema.ts";

export type DomainRow = Selectable<DomainsTable> & { readonly link_count: number };

interface PageOf {
  readonly accountNo: number;
  readonly after: string | undefined;
  readonly name: string | undefined;
  readonly status: DomainStatus | undefined;
  readonly most: number;
}

export const selectDomains = (sql: Sql) =>
  sql
    .selectFrom("domains")
    .selectAll("domains")
    .select((eb) =>
      eb
        .selectFrom("links")
        .select((links) => links.fn.countAll<number>().as("count"))
        .whereRef("links.domain_no", "=", "domains.no")
        // The index leaves out the links of the instance's own domain.
        .where("links.domain_no", "<>", raw.lit(0))
        .as("link_count"),
    )
    .$castTo<DomainRow>();

export const findDomain = (sql: Sql, accountNo: number, id: string): Promise<DomainRow | undefined> =>
  selectDomains(sql).where("domains.id", "=", id).where("domains.account_no", "=", accountNo).executeTakeFirst();

export const findDomainByNo = (sql: Sql, no: number): Promise<DomainRow | undefined> =>
  selectDomains(sql).where("domains.no", "=", no).executeTakeFirst();

export const findDomainByName = (sql: Sql, accountNo: number, name: string): Promise<DomainRow | undefined> =>
  selectDomains(sql).where("domains.name", "=", name).where("domains.account_no", "=", accountNo).executeTakeFirst();

/** The one claim on the name that is verified. */
export const findHolder = (sql: Sql, name: string): Promise<DomainRow | undefined> =>
  selectDomains(sql)
    .where("domains.name", "=", name)
    // As a literal, since a planner only uses a partial index if it sees that its condition holds.
    .where("domains.status", "=", raw.lit("verified" as const))
    .executeTakeFirst();

export const findDomainPage = (sql: Sql, { accountNo, after, name, status, most }: PageOf): Promise<DomainRow[]> =>
  selectDomains(sql)
    .where("domains.account_no", "=", accountNo)
    .$if(after !== undefined, (query) => query.where("domains.id", ">", after ?? ""))
    .$if(name !== undefined, (query) => query.where("domains.name", "=", name ?? ""))
    .$if(status !== undefined, (query) => query.where("domains.status", "=", status ?? "pending"))
    .orderBy("domains.id")
    .limit(most)
    .execute();

/** Links in the trash that need the domain to come back. */
export async function countDeletedLinks(sql: Sql, domainNo: number): Promise<number> {
  const { count } = await sql
    .selectFrom("deleted_links")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("domain_no", "=", domainNo)
    // The index leaves out those of the instance's own domain.
    .where("domain_no", "<>", raw.lit(0))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Verified names that DNS vouched for and that weren't looked up since `before`, the longest ago first. */
export const listDueChecks = (
  sql: Sql,
  before: number,
  most: number,
): Promise<Pick<DomainRow, "account_no" | "id">[]> =>
  sql
    .selectFrom("domains")
    .select(["account_no", "id"])
    .where("status", "=", "verified")
    .where("verified_by", "=", "dns")
    .where("last_checked_at", "<=", before)
    .orderBy("last_checked_at")
    .limit(most)
    .execute();

export const listAddresses = (sql: Sql, after: number, most: number) =>
  sql
    .selectFrom("domains")
    .select(["no", "root_redirect_url", "not_found_redirect_url", "expired_redirect_url", "blocked_urls"])
    .where("no", ">", after)
    .orderBy("no")
    .limit(most)
    .execute();

export async function insertDomain(tx: Sql, row: Insertable<DomainsTable>): Promise<DomainRow> {
  const inserted = await tx.insertInto("domains").values(row).returningAll().executeTakeFirstOrThrow();
  return { ...inserted, link_count: 0 };
}

export async function updateDomain(
  tx: Sql,
  { no, link_count }: DomainRow,
  values: Updateable<DomainsTable>,
): Promise<DomainRow> {
  const updated = await tx
    .updateTable("domains")
    .set(values)
    .where("no", "=", no)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...updated, link_count };
}

/** The account then has no default domain. */
export const clearDefault = async (tx: Sql, accountNo: number, at: number): Promise<void> => {
  await tx
    .updateTable("domains")
    .set((eb) => ({ is_default: 0, version: eb("version", "+", 1), updated_at: at }))
    .where("account_no", "=", accountNo)
    .where("is_default", "=", 1)
    .execute();
};

export const deleteDomain = async (tx: Sql, no: number): Promise<void> => {
  await tx.deleteFrom("domains").where("no", "=", no).execute();
};
