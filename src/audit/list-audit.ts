import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { findAccountNames, listAccountAudit } from "./audit.store.ts";

const PERSON = /^user:(.+)$/;

/** An account's entries, newest first; `before` is where the last page ended. */
export async function listAuditForAccount(
  sql: Sql,
  accountNo: number,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
) {
  const rows = await listAccountAudit(sql, accountNo, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const ids = page.flatMap(({ actor, subject }) => [personOf(actor), subject]);
  const names = await findAccountNames(sql, accountNo, [...new Set(ids)]);
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
