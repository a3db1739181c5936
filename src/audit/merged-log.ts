import type { Sql } from "#engines/records/schema.ts";
import { type AuditFilter, listAudit, listLinkAudit } from "./audit.store.ts";

/** Where a page ended, in both logs. */
export interface Position {
  readonly audit: number;
  readonly links: number;
}

/** An entry of either log. */
export interface LogRow {
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

export interface LogPage extends AuditFilter {
  readonly accountNo: number | null;
  readonly before: number;
  readonly limit: number;
}

export const NEWEST: Position = { audit: Number.MAX_SAFE_INTEGER, links: Number.MAX_SAFE_INTEGER };

export const auditRows = async (sql: Sql, page: LogPage): Promise<LogRow[]> =>
  (await listAudit(sql, page)).map(({ details, ...row }) => ({
    ...row,
    log: "audit",
    via: null,
    details: JSON.parse(details) as LogRow["details"],
  }));

export const linkRows = async (sql: Sql, page: LogPage): Promise<LogRow[]> =>
  (await listLinkAudit(sql, page)).map(({ link_id, slug, fields, ...row }) => ({
    ...row,
    log: "links",
    subject: link_id,
    details: { slug, ...(fields !== "" && { fields: fields.split(",") }) },
  }));

/** Each list keeps its own order, even if the clock was set back. */
export function mergeByTime(one: readonly LogRow[], other: readonly LogRow[]): LogRow[] {
  const merged: LogRow[] = [];
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

export const endOf = (shown: readonly LogRow[], before: Position): Position => ({
  audit: shown.findLast(({ log }) => log === "audit")?.no ?? before.audit,
  links: shown.findLast(({ log }) => log === "links")?.no ?? before.links,
});

/** The id of a person or token, as in `user:<id>`. */
export const idOf = (actor: string): string => actor.slice(actor.indexOf(":") + 1);

/** What acts by itself: upkeep, and the operator's block list. */
const SERVER_ACTORS: ReadonlySet<string> = new Set(["system", "blocklist"]);

/** API, console, command or server, and the browser of a sign-in. Network addresses are never stored. */
export function placeOf({ actor, via, details: { device } }: Pick<LogRow, "actor" | "via" | "details">): string {
  if (typeof device === "string") return `console, ${device}`;
  if (via === "import") return via;
  if (actor === "operator") return "command";
  if (via !== null) return via === "dashboard" ? "console" : via;
  if (actor.startsWith("token:")) return "api";
  return SERVER_ACTORS.has(actor) ? "server" : "console";
}
