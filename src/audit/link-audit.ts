import { LINK_EVENTS_MAX, type LinkEvent } from "#contract/console/links.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { deleteLinkAudit, insertLinkAudit, listLinkSpan } from "./audit.store.ts";

export interface LinkChange {
  readonly at: number;
  /** What was done, as `link.created`. */
  readonly action: string;
  readonly link: { readonly id: string; readonly slug: string };
  /** The names of the fields that an update changed. */
  readonly fields?: readonly string[];
}

/** Who changed it, and how. */
export interface Changer extends Pick<Caller, "accountNo" | "actor"> {
  readonly via: Caller["via"] | "server";
}

const KEPT_MS = 400 * 86_400_000;

/** Written in the same transaction as the change, like every audit entry. */
export const appendLinkAudit = (
  tx: Sql,
  { accountNo, actor, via }: Changer,
  { at, action, link, fields = [] }: LinkChange,
): Promise<void> =>
  insertLinkAudit(tx, {
    at,
    account_no: accountNo,
    link_id: link.id,
    slug: link.slug,
    actor,
    via,
    action,
    fields: fields.join(","),
  });

interface Span {
  readonly from: string;
  readonly to: string;
}

/** What happened to a link within a time range, for everyone who may see its report: not by whom. */
export async function listLinkEvents(
  records: Records,
  { accountNo }: Pick<Caller, "accountNo">,
  linkId: string,
  { from, to }: Span,
): Promise<LinkEvent[]> {
  // It may have to look through all changes of the link, and must not delay others.
  const rows = await listLinkSpan(records.scan, {
    accountNo,
    linkId,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    limit: LINK_EVENTS_MAX,
  });
  return rows.map(({ at, action, fields }) => ({
    at: toTimestamp(at),
    action,
    fields: fields === "" ? [] : fields.split(","),
  }));
}

/** Deletes some of what has been kept long enough, and returns how many. */
export const pruneLinkAudit = (tx: Sql, now: number, most: number): Promise<number> =>
  deleteLinkAudit(tx, now - KEPT_MS, most);
