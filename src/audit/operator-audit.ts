import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { findAccountIds, findNames } from "./audit.store.ts";
import {
  auditRows,
  endOf,
  idOf,
  type LogPage,
  type LogRow,
  linkRows,
  mergeByTime,
  NEWEST,
  type Position,
  placeOf,
} from "./merged-log.ts";

export interface OperatorAuditQuery {
  /** `null`: all accounts, and what belongs to none. */
  readonly accountNo: number | null;
  /** Unix milliseconds; nothing older is listed. */
  readonly sinceMs: number | null;
  readonly limit: number;
  /** Where the last page ended, in both logs. */
  readonly before: Position | null;
}

const CHUNK = 500;

/** Entries of both logs, newest first. */
export async function listAuditForOperator(sql: Sql, query: OperatorAuditQuery) {
  const { accountNo, limit } = query;
  const before = query.before ?? NEWEST;
  // One more than is shown, to see whether there are older ones.
  const wanted = { accountNo, sinceMs: query.sinceMs ?? Number.NEGATIVE_INFINITY, count: limit + 1 };
  const found = mergeByTime(
    await collect({ ...wanted, before: before.audit }, (page) => auditRows(sql, page)),
    await collect({ ...wanted, before: before.links }, (page) => linkRows(sql, page)),
  );
  const shown = found.slice(0, limit);
  return {
    data: await describe(sql, shown),
    next_before: found.length > limit ? endOf(shown, before) : null,
  };
}

interface Wanted {
  readonly accountNo: number | null;
  readonly before: number;
  readonly sinceMs: number;
  readonly count: number;
}

/** Reads back until there are enough, or until a whole chunk is too old. */
async function collect(
  { accountNo, before, sinceMs, count }: Wanted,
  read: (page: LogPage) => Promise<LogRow[]>,
): Promise<LogRow[]> {
  const found: LogRow[] = [];
  for (let end = before; ; ) {
    const rows = await read({ accountNo, before: end, limit: CHUNK });
    const young = rows.filter(({ at }) => at >= sinceMs);
    found.push(...young);
    const last = rows.at(-1);
    if (found.length >= count || young.length === 0 || !last || rows.length < CHUNK) return found.slice(0, count);
    end = last.no;
  }
}

async function describe(sql: Sql, rows: readonly LogRow[]) {
  const ids = rows.flatMap(({ actor, subject }) => [idOf(actor), subject]);
  const names = await findNames(sql, [...new Set(ids)]);
  const numbers = rows.flatMap(({ account_no }) => (account_no === null ? [] : [account_no]));
  const accounts = await findAccountIds(sql, [...new Set(numbers)]);
  return rows.map((row) => toEntry(row, accounts, names));
}

type Names<Id> = ReadonlyMap<Id, string>;

function toEntry(row: LogRow, accounts: Names<number>, names: Names<string>) {
  const { at, account_no, actor, action, subject, details } = row;
  return {
    at: toTimestamp(at),
    account_id: account_no === null ? null : (accounts.get(account_no) ?? null),
    actor,
    actor_name: names.get(idOf(actor)) ?? null,
    from: placeOf(row),
    action,
    subject,
    subject_name: names.get(subject) ?? null,
    details,
  };
}
