import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { assertDomainKept } from "#domains/link-domains.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { slugOf } from "#kernel/link-key.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import { releaseActiveLink, reserveActiveLink } from "#plans/plan-limits.ts";
import { queueOf } from "./account-queue.ts";
import { deleteDeleted, insertDeleted, restoreDeleted } from "./deleted-links.store.ts";
import { assertExternalIdFree } from "./external-id.ts";
import { findListedBlock, setBlock } from "./link-block.ts";
import type { eventOfAction } from "./link-events.ts";
import { type DeletedRow, isDeleted, type LinkRow, toLink } from "./link-record.ts";
import { getRow } from "./link-rows.ts";
import type { LinkDeps } from "./links.service.ts";
import { buryLink, eraseClicksOf, insertTags } from "./links.store.ts";

interface ChangeKind {
  readonly ifMatch: IfMatch;
  readonly event: (typeof eventOfAction)[LinkAction] | "link.updated" | "link.deleted" | "link.restored";
  /** What is done, if that is refused for a link in the trash. */
  readonly action?: string;
}

/** Looks a link up, has it changed, and records the change; `null` for none. */
export type ChangeLink = (
  caller: Caller,
  id: string,
  kind: ChangeKind,
  work: (tx: Sql, row: LinkRow, now: number) => Promise<LinkRow | null>,
) => Promise<Link>;

interface Deps extends Pick<LinkDeps, "records" | "clock" | "origin" | "outbox" | "blockReasonOf" | "knowsBlocklist"> {
  readonly change: ChangeLink;
}

export interface DeleteOptions {
  /** Erases the link and its clicks at once. */
  readonly permanent: boolean;
}

/** Deleted links can be restored for 30 days; `eraseOldTrash` ends that. */
export function linkTrash({ records, clock, origin, outbox, blockReasonOf, knowsBlocklist, change }: Deps) {
  const moveToTrash = (caller: Caller, id: string, ifMatch: IfMatch): Promise<Link> =>
    change(caller, id, { ifMatch, event: "link.deleted" }, async (tx, row, now) => {
      if (isDeleted(row)) return null;
      const deleted = await insertDeleted(tx, row, now);
      await buryLink(tx, row, now);
      if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
      return deleted;
    });

  const erase = (caller: Caller, id: string, ifMatch: IfMatch): Promise<void> =>
    records.write(async (tx) => {
      const at = clock();
      const row = await getRow(tx, caller, id);
      assertVersion(ifMatch, row.version);
      await eraseClicksOf(tx, [row]);
      await appendLinkAudit(tx, caller, { at, action: "link.erased", link: { id, slug: slugOf(row.key) } });
      if (isDeleted(row)) return deleteDeleted(tx, [row]);
      await buryLink(tx, row, at);
      if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
      const last: DeletedRow = { ...row, version: row.version + 1, updated_at: at, deleted_at: at };
      const deleted = toLink(last, origin, at);
      const link = { ...deleted, erases_at: deleted.deleted_at };
      await appendChange(tx, row.key, at);
      await outbox.append(tx, { type: "link.deleted", accountNo: caller.accountNo, at, data: () => ({ link }) });
    }, queueOf(caller));

  /** The block list may have changed while the link was in the trash; a block by the operator stays. */
  const applyBlocklist = async (tx: Sql, row: DeletedRow, now: number): Promise<DeletedRow> => {
    if (row.blocked_by === "operator" || !knowsBlocklist()) return row;
    return setBlock(tx, { outbox, origin }, row, findListedBlock(row, blockReasonOf), now);
  };

  return {
    moveToTrash,

    /** A repeated call changes nothing, so that a retry never erases what the first call moved to the trash. */
    async delete(
      caller: Caller,
      id: string,
      ifMatch: IfMatch,
      { permanent }: DeleteOptions = { permanent: false },
    ): Promise<undefined> {
      await (permanent ? erase : moveToTrash)(caller, id, ifMatch);
      return undefined;
    },

    restore: (caller: Caller, id: string, ifMatch: IfMatch): Promise<Link> =>
      change(caller, id, { ifMatch, event: "link.restored" }, async (tx, row, now) => {
        if (!isDeleted(row)) return null;
        await assertDomainKept(tx, { no: row.domain_no, name: row.domain_name });
        await assertExternalIdFree(tx, row.account_no, row.external_id);
        if (row.state === "active") await reserveActiveLink(tx, caller);
        const restored = await restoreDeleted(tx, await applyBlocklist(tx, row, now), now);
        await insertTags(tx, row.no, row.account_no, JSON.parse(row.tags) as string[]);
        return restored;
      }),
  };
}
