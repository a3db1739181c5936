import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link } from "#contract/link-record.ts";
import { assertDomainKept } from "#domains/link-domains.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { slugOf } from "#kernel/link-key.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import { releaseActiveLink, reserveActiveLink } from "#plans/plan-limits.ts";
import type { LinkChange } from "./change-link.ts";
import { deleteDeleted, insertDeleted, restoreDeleted } from "./deleted-links.store.ts";
import { assertExternalIdFree } from "./external-id.ts";
import { findListedBlock, setBlock } from "./link-block.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { type DeletedRow, isDeleted, toLink } from "./link-record.ts";
import { getRow } from "./link-rows.ts";
import { buryLink, eraseClicksOf, insertTags } from "./links.store.ts";

type Deps = Pick<LinkDeps, "origin" | "outbox" | "blockReasonOf" | "knowsBlocklist">;

/** Deleted links can be restored for 30 days; `eraseOldTrash` ends that. */
export function linkTrash({ origin, outbox, blockReasonOf, knowsBlocklist }: Deps, change: LinkChange) {
  /** The block list may have changed while the link was in the trash; a block by the operator stays. */
  const applyBlocklist = async (tx: Sql, row: DeletedRow, now: number): Promise<DeletedRow> => {
    if (row.blocked_by === "operator" || !knowsBlocklist()) return row;
    return setBlock(tx, { outbox, origin }, row, findListedBlock(row, blockReasonOf), now);
  };

  return {
    /** A repeated call changes nothing, so that a retry never erases what the first call moved to the trash. */
    moveToTrash: (caller: Caller, id: string, ifMatch: IfMatch): LinkWork<Link> =>
      change(caller, id, { ifMatch, event: "link.deleted" }, async (tx, row, now) => {
        if (isDeleted(row)) return null;
        const deleted = await insertDeleted(tx, row, now);
        await buryLink(tx, row, now);
        if (row.state === "active") await releaseActiveLink(tx, caller.accountNo);
        return { to: deleted };
      }),

    erase:
      (caller: Caller, id: string, ifMatch: IfMatch): LinkWork<void> =>
      async (tx, at) => {
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
      },

    restore: (caller: Caller, id: string, ifMatch: IfMatch): LinkWork<Link> =>
      change(caller, id, { ifMatch, event: "link.restored" }, async (tx, row, now) => {
        if (!isDeleted(row)) return null;
        await assertDomainKept(tx, { no: row.domain_no, name: row.domain_name });
        await assertExternalIdFree(tx, row.account_no, row.external_id);
        if (row.state === "active") await reserveActiveLink(tx, caller);
        const from = await applyBlocklist(tx, row, now);
        const to = await restoreDeleted(tx, from, now);
        await insertTags(tx, row.no, row.account_no, JSON.parse(row.tags) as string[]);
        return { from, to };
      }),
  };
}
export type LinkTrash = ReturnType<typeof linkTrash>;
