import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { type eventOfAction, previousOf } from "./link-events.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { getLiveRow, getRow } from "./link-rows.ts";

interface ChangeKind {
  readonly ifMatch: IfMatch;
  readonly event: (typeof eventOfAction)[LinkAction] | "link.updated" | "link.deleted" | "link.restored";
  /** What is done, if that is refused for a link in the trash. */
  readonly action?: string;
}

/** Returns the link as it is then; `null` if nothing differs. */
type Change = (tx: Sql, row: LinkRow, now: number) => Promise<LinkRow | null>;

/** Looks the link up, checks its version, changes it and records the change for caches, audit log and webhooks. */
export const linkChange =
  ({ origin, outbox }: Pick<LinkDeps, "origin" | "outbox">) =>
  (caller: Caller, id: string, { ifMatch, event, action }: ChangeKind, change: Change): LinkWork<Link> =>
  async (tx, at) => {
    const row = action === undefined ? await getRow(tx, caller, id) : await getLiveRow(tx, caller, id, action);
    assertVersion(ifMatch, row.version);
    const changed = await change(tx, row, at);
    if (!changed) return toLink(row, origin, at);
    const link = toLink(changed, origin, at);
    await appendChange(tx, changed.key, at);
    const previous = event === "link.updated" ? previousOf(toLink(row, origin, at), link) : null;
    const fields = Object.keys(previous ?? {});
    if (changed.password_hash !== row.password_hash) fields.push("password");
    await appendLinkAudit(tx, caller, { at, action: event, link, fields });
    const data = () => (previous ? { link, previous } : { link });
    await outbox.append(tx, { type: event, accountNo: caller.accountNo, at, data });
    return link;
  };
export type LinkChange = ReturnType<typeof linkChange>;
