import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { findAccountIds, findNames, listAudit, listLinkAudit } from "./audit.store.ts";

export interface OperatorAuditQuery {
  /** `null`: all accounts, and what belongs to none. */
  readonly accountNo: number | null;
  /** Unix milliseconds; nothing older is listed. */
  readonly sinceMs: number | null;
  readonly limit: number;
  /** Where the last page ended, in both logs. */
  readonly before: Position | null;
}

export interface Position {
  readonly audit: number;
  readonly links: number;
}

interface Row {
  readonly log: keyof Position;
  readonly no: number;
  readonly at: number;
  readonly account_no: number | null;
  readonly actor: string;
  readonly via: string | null;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const CHUNK = 500;
const NEWEST: Position = { audit: Number.MAX_SAFE_INTEGER, links: Number.MAX_SAFE_INTEGER };

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

interface Page {
  readonly accountNo: number | null;
  readonly before: number;
  readonly limit: number;
}

const auditRows = async (sql: Sql, page: Page): Promise<Row[]> =>
  (await listAudit(sql, page)).map(({ details, ...row }) => ({
    ...row,
    log: "audit",
    via: null,
    details: JSON.parse(details) as Row["details"],
  }));

const linkRows = async (sql: Sql, page: Page): Promise<Row[]> =>
  (await listLinkAudit(sql, page)).map(({ link_id, slug, fields, ...row }) => ({
    ...row,
    log: "links",
    subject: link_id,
    details: { slug, ...(fields !== "" && { fields: fields.split(",") }) },
  }));

interface Wanted {
  readonly accountNo: number | null;
  readonly before: number;
  readonly sinceMs: number;
  readonly count: number;
}

/** Reads back until there are enough, or until a whole chunk is too old. */
async function collect(
  { accountNo, before, sinceMs, count }: Wanted,
  read: (page: Page) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let end = before; ; ) {
    const rows = await read({ accountNo, before: end, limit: CHUNK });
    const young = rows.filter(({ at }) => at >= sinceMs);
    found.push(...young);
    const last = rows.at(-1);
    if (found.length >= count || young.length === 0 || !last || rows.length < CHUNK) return found.slice(0, count);
    end = last.no;
  }
}

/** Each list keeps its own order, even if the clock was set back. */
function mergeByTime(one: readonly Row[], other: readonly Row[]): Row[] {
  const merged: Row[] = [];
  let [a, b] = [0, 0];
  for (;;) {
    const [first, second] = [one[a], other[b]];
    if (!first && !second) return merged;
    if (first && (!second || first.at >= second.at)) {
      merged.push(first);
      a += 1;
    } else if (second) {
      merged.push(second);
      b += 1;
    }
  }
}

const endOf = (shown: readonly Row[], before: Position): Position => ({
  audit: shown.findLast(({ log }) => log === "audit")?.no ?? before.audit,
  links: shown.findLast(({ log }) => log === "links")?.no ?? before.links,
});

async function describe(sql: Sql, rows: readonly Row[]) {
  const ids = rows.flatMap(({ actor, subject }) => [idOf(actor), subject]);
  const names = await findNames(sql, [...new Set(ids)]);
  const numbers = rows.flatMap(({ account_no }) => (account_no === null ? [] : [account_no]));
  const accounts = await findAccountIds(sql, [...new Set(numbers)]);
  return rows.map(({ at, account_no, actor, via, action, subject, details }) => ({
    at: toTimestamp(at),
    account_id: account_no === null ? null : (accounts.get(account_no) ?? null),
    actor,
    actor_name: names.get(idOf(actor)) ?? null,
    from: placeOf(actor, via, details),
    action,
    subject,
    subject_name: names.get(subject) ?? null,
    details,
  }));
}

const idOf = (actor: string): string => actor.slice(actor.indexOf(":") + 1);

/** API, console or command, and the browser of a sign-in. Network addresses are never stored. */
function placeOf(actor: string, via: string | null, { device }: Row["details"]): string {
  if (typeof device === "string") return `console, ${device}`;
  if (actor === "operator") return "command";
  if (via !== null) return via === "dashboard" ? "console" : via;
  if (actor.startsWith("token:")) return "api";
  return actor === "system" ? "server" : "console";
}
