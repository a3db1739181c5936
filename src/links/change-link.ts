import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { atOnce } from "#engines/records/statement.ts";
import type { Caller } from "#kernel/caller.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { type eventOfAction, previousOf } from "./link-events.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { getLiveRow, getRow } from "./link-rows.ts";
import { appendVersion, type NewVersion } from "./link-version.ts";

interface ChangeKind {
  readonly ifMatch: IfMatch;
  readonly event: (typeof eventOfAction)[LinkAction] | "link.updated" | "link.deleted" | "link.restored";
  /** What is done, if that is refused for a link in the trash. */
  readonly action?: string;
  /** The version whose fields it gets again. */
  readonly revertedTo?: number;
}

export interface Changed {
  readonly to: LinkRow;
  /** If it isn't the row that was found, because a change before this one belongs to it. */
  readonly from?: LinkRow;
}

/** Returns the link as it is then; `null` if nothing differs. */
type Change = (tx: Sql, row: LinkRow, now: number) => Promise<Changed | null>;

/** Looks the link up, checks its version, changes it and records the change: for caches, history, audit log and webhooks. */
export const linkChange =
  ({ origin, outbox }: Pick<LinkDeps, "origin" | "outbox">) =>
  (caller: Caller, id: string, { ifMatch, event, action, revertedTo }: ChangeKind, change: Change): LinkWork<Link> =>
  async (tx, at) => {
    const found = action === undefined ? await getRow(tx, caller, id) : await getLiveRow(tx, caller, id, action);
    assertVersion(ifMatch, found.version);
    const changed = await change(tx, found, at);
    if (!changed) return toLink(found, origin, at);
    const { to, from = found } = changed;
    const link = toLink(to, origin, at);
    const before = toLink(from, origin, at);
    const previous = event === "link.updated" ? previousOf(before, link) : null;
    const fields = Object.keys(previous ?? {});
    if (to.password_hash !== from.password_hash) fields.push("password");
    const data = () => (previous ? { link, previous } : { link });
    await atOnce(
      appendChange(tx, to.key, at),
      appendVersion(tx, {
        by: caller,
        at,
        action: revertedTo === undefined ? actionOf(event) : "reverted",
        revertedTo,
        from: { row: from, link: before },
        to: { row: to, link },
      }),
      appendLinkAudit(tx, caller, { at, action: event, link, fields }),
      outbox.append(tx, { type: event, accountNo: caller.accountNo, at, data }),
    );
    return link;
  };
export type LinkChange = ReturnType<typeof linkChange>;

const actionOf = (event: ChangeKind["event"]): NewVersion["action"] =>
  event.slice("link.".length) as NewVersion["action"];
