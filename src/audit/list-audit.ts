import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";

const PERSON = /^user:(.+)$/;

/** An account's entries, newest first; `before` is where the last page ended. */
export async function listAudit(
  sql: Sql,
  accountNo: number,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
) {
  const rows = await sql
    .selectFrom("audit_log")
    .selectAll()
    .where("account_no", "=", accountNo)
    .$if(before !== undefined, (query) => query.where("no", "<", before ?? 0))
    .orderBy("at", "desc")
    .orderBy("no", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const ids = page.flatMap(({ actor, subject }) => [personOf(actor), subject]);
  const names = await namesOf(sql, accountNo, [...new Set(ids)]);
  return {
    data: page.map(({ at, actor, action, subject, details }) => ({
      at: toTimestamp(at),
      actor,
      actor_name: names.get(personOf(actor)) ?? null,
      action,
      subject,
      subject_name: names.get(subject) ?? null,
      details: JSON.parse(details) as Record<string, unknown>,
    })),
    next_before: rows.length > limit ? (page.at(-1)?.no ?? null) : null,
  };
}

const personOf = (actor: string): string => PERSON.exec(actor)?.[1] ?? "";

/** By id: of people, and of the account's tokens and webhook endpoints. */
async function namesOf(sql: Sql, accountNo: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
    .execute();
  return new Map(named.map(({ id, name }) => [id, name]));
}
