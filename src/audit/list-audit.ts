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
  const names = await namesOf(sql, new Set(page.flatMap(({ actor }) => PERSON.exec(actor)?.[1] ?? [])));
  return {
    data: page.map(({ at, actor, action, subject, details }) => ({
      at: toTimestamp(at),
      actor,
      actor_name: names.get(actor) ?? null,
      action,
      subject,
      details: JSON.parse(details) as Record<string, unknown>,
    })),
    next_before: rows.length > limit ? (page.at(-1)?.no ?? null) : null,
  };
}

/** By actor, as the log has it. */
async function namesOf(sql: Sql, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  if (ids.size === 0) return new Map();
  const users = await sql
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(users.map(({ id, name }) => [`user:${id}`, name]));
}
