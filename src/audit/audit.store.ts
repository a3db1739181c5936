import type { Insertable } from "kysely";
import type { LinkAuditTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

const insert = statement((sql, row: Insertable<Omit<LinkAuditTable, "no">>) =>
  sql.insertInto("link_audit").values({
    at: row.at,
    account_no: row.account_no,
    link_id: row.link_id,
    slug: row.slug,
    actor: row.actor,
    via: row.via,
    action: row.action,
    fields: row.fields,
  }),
);

/** Every change of a link writes one, so it is compiled once. */
export async function insertLinkAudit(tx: Sql, row: Insertable<Omit<LinkAuditTable, "no">>): Promise<void> {
  await insert(tx, row);
}

interface Page {
  readonly accountNo: number | null;
  /** Only rows with a smaller number. */
  readonly before: number;
  readonly limit: number;
}

/** In the order they were written, newest first: a clock may have been set back in between. */
export const selectAudit = (sql: Sql, { accountNo, before, limit }: Page) =>
  sql
    .selectFrom("audit_log")
    .selectAll()
    .where("no", "<", before)
    .$if(accountNo !== null, (query) => query.where("account_no", "=", accountNo))
    .orderBy("no", "desc")
    .limit(limit)
    .execute();

export const selectLinkAudit = (sql: Sql, { accountNo, before, limit }: Page) =>
  sql
    .selectFrom("link_audit")
    .selectAll()
    .where("no", "<", before)
    .$if(accountNo !== null, (query) => query.where("account_no", "=", accountNo ?? 0))
    .orderBy("no", "desc")
    .limit(limit)
    .execute();

/** Deletes some of those written before a time, oldest first, and returns how many. */
export async function deleteLinkAudit(tx: Sql, beforeMs: number, most: number): Promise<number> {
  const oldest = await tx.selectFrom("link_audit").select(["no", "at"]).orderBy("no").limit(most).execute();
  const kept = oldest.find(({ at }) => at >= beforeMs);
  const end = kept?.no ?? (oldest.at(-1)?.no ?? 0) + 1;
  const { numDeletedRows } = await tx.deleteFrom("link_audit").where("no", "<", end).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** By id: the e-mail address of people, the name of tokens, the address of webhook endpoints. */
export async function selectAuditNames(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = await sql
    .selectFrom("users")
    .select(["id", "email as name"])
    .where("id", "in", ids)
    .unionAll((eb) => eb.selectFrom("tokens").select(["id", "name"]).where("id", "in", ids))
    .unionAll((eb) => eb.selectFrom("webhook_endpoints").select(["id", "url as name"]).where("id", "in", ids))
    .execute();
  return new Map(named.map(({ id, name }) => [id, name]));
}

export async function selectAccountIds(sql: Sql, numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await sql.selectFrom("accounts").select(["no", "id"]).where("no", "in", numbers).execute();
  return new Map(rows.map(({ no, id }) => [no, id]));
}

export async function findAccountNo(sql: Sql, id: string): Promise<number | undefined> {
  return (await sql.selectFrom("accounts").select("no").where("id", "=", id).executeTakeFirst())?.no;
}
