import type { Expression, ExpressionBuilder, Insertable, SqlBool } from "kysely";
import type { AuditLogTable, Database, LinkAuditTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

export async function insertAudit(tx: Sql, row: Insertable<AuditLogTable>): Promise<void> {
  await tx.insertInto("audit_log").values(row).execute();
}

const insertLink = statement((sql, row: Insertable<Omit<LinkAuditTable, "no">>) =>
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

/** Written with every link change, so it is compiled only once. */
export async function insertLinkAudit(tx: Sql, row: Insertable<Omit<LinkAuditTable, "no">>): Promise<void> {
  await insertLink(tx, row);
}

/** What is left out matches everything. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  /** One action, as `link.paused`, or all about a topic, as `link`. */
  readonly action?: string | undefined;
  /** The id of what it was done to. */
  readonly subject?: string | undefined;
}

interface Page extends AuditFilter {
  readonly accountNo: number | null;
  /** Only rows with a smaller number. */
  readonly before: number;
  readonly limit: number;
}

/** Ordered by number rather than time: the clock may have been set back in between. */
export const listAudit = (sql: Sql, { accountNo, before, limit, actor, action, subject }: Page) =>
  sql
    .selectFrom("audit_log")
    .selectAll()
    .where("no", "<", before)
    .$if(accountNo !== null, (query) => query.where("account_no", "=", accountNo))
    .$if(actor !== undefined, (query) => query.where("actor", "=", actor ?? ""))
    .$if(action !== undefined, (query) => query.where(isAbout(action ?? "")))
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
    .orderBy("no", "desc")
    .limit(limit)
    .execute();

export const listLinkAudit = (sql: Sql, { accountNo, before, limit, actor, action, subject }: Page) =>
  sql
    .selectFrom("link_audit")
    .selectAll()
    .where("no", "<", before)
    .$if(accountNo !== null, (query) => query.where("account_no", "=", accountNo ?? 0))
    .$if(actor !== undefined, (query) => query.where("actor", "=", actor ?? ""))
    .$if(action !== undefined, (query) => query.where(isAbout(action ?? "")))
    .$if(subject !== undefined, (query) => query.where("link_id", "=", subject ?? ""))
    .orderBy("no", "desc")
    .limit(limit)
    .execute();

interface LinkSpan {
  readonly accountNo: number;
  readonly linkId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

/** What was done to one link, newest first. */
export const listLinkSpan = (sql: Sql, { accountNo, linkId, fromMs, toMs, limit }: LinkSpan) =>
  sql
    .selectFrom("link_audit")
    .select(["at", "action", "fields"])
    .where("account_no", "=", accountNo)
    .where("link_id", "=", linkId)
    .where("at", ">=", fromMs)
    .where("at", "<", toMs)
    .orderBy("no", "desc")
    .limit(limit)
    .execute();

export const findLinkCreator = (sql: Sql, accountNo: number, linkId: string) =>
  sql
    .selectFrom("link_audit")
    .select("actor")
    .where("account_no", "=", accountNo)
    .where("link_id", "=", linkId)
    .where("action", "=", "link.created")
    .orderBy("no")
    .limit(1)
    .executeTakeFirst();

type Eb<T extends keyof Database> = ExpressionBuilder<Database, T>;

/** In byte order a slash follows the dot, so what lies between begins with the topic and a dot. */
const isAbout =
  (action: string) =>
  (either: Eb<"audit_log"> | Eb<"link_audit">): Expression<SqlBool> => {
    // Both tables have the column, and the same kind of texts in it.
    const eb = either as Eb<"audit_log">;
    const ofTopic = eb.and([eb("action", ">", `${action}.`), eb("action", "<", `${action}/`)]);
    return eb.or([eb("action", "=", action), ofTopic]);
  };

/** Deletes some of those written before a time, oldest first, and returns how many. */
export async function deleteLinkAudit(tx: Sql, beforeMs: number, most: number): Promise<number> {
  const oldest = await tx.selectFrom("link_audit").select(["no", "at"]).orderBy("no").limit(most).execute();
  const kept = oldest.find(({ at }) => at >= beforeMs);
  const end = kept?.no ?? (oldest.at(-1)?.no ?? 0) + 1;
  const { numDeletedRows } = await tx.deleteFrom("link_audit").where("no", "<", end).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** By id: the names of users, and of the account's tokens, webhook endpoints and domains. */
export async function findAccountNames(
  sql: Sql,
  accountNo: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = await sql
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "in", ids)
    .unionAll((eb) =>
      eb.selectFrom("tokens").select(["id", "name"]).where("id", "in", ids).where("account_no", "=", accountNo),
    )
    .unionAll((eb) =>
      eb
        .selectFrom("webhook_endpoints")
        .select(["id", "url as name"])
        .where("id", "in", ids)
        .where("account_no", "=", accountNo),
    )
    .unionAll((eb) =>
      eb.selectFrom("domains").select(["id", "name"]).where("id", "in", ids).where("account_no", "=", accountNo),
    )
    .execute();
  return new Map(named.map(({ id, name }) => [id, name]));
}

/** By id, across accounts: users' e-mail addresses, token names, endpoint URLs and domain names. */
export async function findNames(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = await sql
    .selectFrom("users")
    .select(["id", "email as name"])
    .where("id", "in", ids)
    .unionAll((eb) => eb.selectFrom("tokens").select(["id", "name"]).where("id", "in", ids))
    .unionAll((eb) => eb.selectFrom("webhook_endpoints").select(["id", "url as name"]).where("id", "in", ids))
    .unionAll((eb) => eb.selectFrom("domains").select(["id", "name"]).where("id", "in", ids))
    .execute();
  return new Map(named.map(({ id, name }) => [id, name]));
}

export async function findAccountIds(sql: Sql, numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await sql.selectFrom("accounts").select(["no", "id"]).where("no", "in", numbers).execute();
  return new Map(rows.map(({ no, id }) => [no, id]));
}
