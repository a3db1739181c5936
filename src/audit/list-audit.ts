import type { Records } from "#engines/records/records.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { findAccountNames } from "./audit.store.ts";
import {
  auditRows,
  endOf,
  idOf,
  type LogRow,
  linkRows,
  mergeByTime,
  NEWEST,
  type Position,
  placeOf,
} from "./merged-log.ts";

export interface AccountAuditQuery {
  /** Where the last page ended, as in `12-3456`. */
  readonly before?: string | undefined;
  readonly limit: number;
  readonly actor?: string | undefined;
  /** One action, or all about a topic, as in `link`. */
  readonly action?: string | undefined;
  /** The id of the link that was changed. */
  readonly link?: string | undefined;
}

/** What was changed in an account and on its links, newest first. */
export async function listAuditForAccount(records: Records, accountNo: number, query: AccountAuditQuery) {
  const { limit, actor, action, link } = query;
  const before = readPosition(query.before);
  const filter = { actor, action, subject: link };
  // A filter may have to look through everything; that must not keep others waiting.
  const sql = actor === undefined && action === undefined && link === undefined ? records.read : records.scan;
  // One more than is shown, to see whether there are older ones.
  const page = { accountNo, limit: limit + 1, ...filter };
  const found = mergeByTime(
    await auditRows(sql, { ...page, before: before.audit }),
    await linkRows(sql, { ...page, before: before.links }),
  );
  const shown = found.slice(0, limit);
  const ids = shown.flatMap((row) => [idOf(row.actor), row.subject]);
  const names = await findAccountNames(records.read, accountNo, [...new Set(ids)]);
  return {
    data: shown.map((row) => toEntry(row, names)),
    next_before: found.length > limit ? writePosition(endOf(shown, before)) : null,
  };
}

function toEntry(row: LogRow, names: ReadonlyMap<string, string>) {
  const { at, actor, action, subject, details } = row;
  const { slug } = details;
  return {
    at: toTimestamp(at),
    actor,
    actor_name: names.get(idOf(actor)) ?? null,
    from: placeOf(row),
    action,
    subject,
    subject_name: names.get(subject) ?? (typeof slug === "string" ? slug : null),
    details,
  };
}

function readPosition(text: string | undefined): Position {
  const [audit = NEWEST.audit, links = NEWEST.links] = text?.split("-").map(Number) ?? [];
  return { audit, links };
}

const writePosition = ({ audit, links }: Position): string => `${audit}-${links}`;
