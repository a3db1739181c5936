import type { Selectable } from "kysely";
import { appendAudit } from "#audit/audit.service.ts";
import type { BlockReason } from "#contract/errors.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { LinksTable, Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { Blocklist } from "./blocklist.ts";
import { updateDeleted } from "./deleted-links.store.ts";
import { storedUrlsOf } from "./link-destinations.ts";
import { isDeleted, type LinkRow, type ShortOrigin, toLink } from "./link-record.ts";
import { findLinksByNo, listBlockStates, updateLink } from "./links.store.ts";
import { getNamedLink } from "./named-link.ts";

type BlockedBy = NonNullable<Selectable<LinksTable>["blocked_by"]>;

interface Block {
  readonly reason: BlockReason;
  readonly by: BlockedBy;
}

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
  /** Those that serve the links of the instance's own domain, maybe with a port. */
  readonly ownHosts: readonly string[];
}

interface BlockCounts {
  readonly blocked: number;
  readonly unblocked: number;
}

// A batch is one transaction: large enough to be fast, small enough to let other writers in between.
const BATCH = 500;

/** Blocking is up to the operator: a link's owner can't undo it. */
export function linkBlocking({ records, clock, outbox, origin, ownHosts }: Deps) {
  const setBlock = async (tx: Sql, row: LinkRow, block: Block | null): Promise<boolean> => {
    if (row.blocked_reason === (block?.reason ?? null) && row.blocked_by === (block?.by ?? null)) return false;
    const at = clock();
    const values = {
      blocked_reason: block?.reason ?? null,
      blocked_at: block ? at : null,
      blocked_by: block?.by ?? null,
    };
    // Those in the trash, too: their owner could restore them after the operator has looked away.
    const changed = isDeleted(row)
      ? await updateDeleted(tx, row, values)
      : await updateLink(tx, row, { ...values, updated_at: at });
    await appendChange(tx, changed.key, at);
    await appendAudit(tx, {
      at,
      accountNo: row.account_no,
      actor: block?.by ?? row.blocked_by ?? "operator",
      action: block ? "link.blocked" : "link.unblocked",
      subject: row.id,
      ...(block && { details: { reason: block.reason } }),
    });
    if (block) {
      const data = () => ({ link: toLink(changed, origin, at) });
      await outbox.append(tx, { type: "link.blocked", accountNo: row.account_no, at, data });
    }
    return true;
  };

  /** Decides on the rows as read inside the transaction: owner or operator may have changed them since the scan. */
  const applyToBatch = (numbers: readonly number[], blocklist: Blocklist): Promise<BlockCounts> =>
    records.write(async (tx) => {
      const counts = { blocked: 0, unblocked: 0 };
      const rows = await findLinksByNo(tx, numbers);
      for (const row of rows) {
        if (row.blocked_by === "operator") continue;
        const reason = findReason(blocklist, row);
        const block = reason && { reason, by: "blocklist" as const };
        if (await setBlock(tx, row, block)) counts[block ? "blocked" : "unblocked"] += 1;
      }
      return counts;
    });

  return {
    /** Links are named as `getNamedLink` says. */
    block: (link: string, reason: BlockReason): Promise<void> =>
      records.write(async (tx) => {
        await setBlock(tx, await getNamedLink(tx, link, ownHosts), { reason, by: "operator" });
      }),

    unblock: (link: string): Promise<void> =>
      records.write(async (tx) => {
        const row = await getNamedLink(tx, link, ownHosts);
        if (row.blocked_by === "blocklist") {
          throw new Error(`the link "${link}" is blocked by the block list; remove its destination from the list`);
        }
        await setBlock(tx, row, null);
      }),

    /** Checks every link against the list: blocks those on it, unblocks those it no longer contains. */
    async applyBlocklist(blocklist: Blocklist): Promise<BlockCounts> {
      const counts = { blocked: 0, unblocked: 0 };
      // A link that was checked against the list before this one may not be committed yet.
      await records.finishWrites();
      for (let after = 0; ; ) {
        const rows = await listBlockStates(records.scan, after, BATCH);
        const last = rows.at(-1);
        if (!last) return counts;
        after = last.no;
        const affected = rows.filter(
          (row) => row.blocked_by !== "operator" && findReason(blocklist, row) !== row.blocked_reason,
        );
        const numbers = affected.map(({ no }) => no);
        if (numbers.length === 0) continue;
        const { blocked, unblocked } = await applyToBatch(numbers, blocklist);
        counts.blocked += blocked;
        counts.unblocked += unblocked;
      }
    },
  };
}

/** One bad address is enough: visitors can't tell which of them they will get. */
function findReason(blocklist: Blocklist, row: Pick<LinkRow, "destination_url" | "settings">): BlockReason | null {
  for (const url of storedUrlsOf(row)) {
    const reason = blocklist.find(url);
    if (reason !== null) return reason;
  }
  return null;
}
