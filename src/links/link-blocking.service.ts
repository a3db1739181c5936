import type { BlockReason } from "#contract/errors.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { Blocklist } from "./blocklist.ts";
import { type Block, findListedBlock, setBlock } from "./link-block.ts";
import type { LinkRow, ShortOrigin } from "./link-record.ts";
import { findLinksByNo, listBlockStates } from "./links.store.ts";
import { getNamedLink } from "./named-link.ts";

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
  const set = (tx: Sql, row: LinkRow, block: Block | null): Promise<LinkRow> =>
    setBlock(tx, { outbox, origin }, row, block, clock());

  /** Decides on the rows as read inside the transaction: owner or operator may have changed them since the scan. */
  const applyToBatch = (numbers: readonly number[], blocklist: Blocklist): Promise<BlockCounts> =>
    records.write(async (tx) => {
      const counts = { blocked: 0, unblocked: 0 };
      const rows = await findLinksByNo(tx, numbers);
      for (const row of rows) {
        if (row.blocked_by === "operator") continue;
        const block = findListedBlock(row, blocklist.find);
        if ((await set(tx, row, block)) !== row) counts[block ? "blocked" : "unblocked"] += 1;
      }
      return counts;
    });

  return {
    /** Links are named as `getNamedLink` says. */
    block: (link: string, reason: BlockReason): Promise<void> =>
      records.write(async (tx) => {
        await set(tx, await getNamedLink(tx, link, ownHosts), { reason, by: "operator" });
      }),

    unblock: (link: string): Promise<void> =>
      records.write(async (tx) => {
        const row = await getNamedLink(tx, link, ownHosts);
        if (row.blocked_by === "blocklist") {
          throw new Error(`the link "${link}" is blocked by the block list; remove its destination from the list`);
        }
        await set(tx, row, null);
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
          (row) =>
            row.blocked_by !== "operator" &&
            (findListedBlock(row, blocklist.find)?.reason ?? null) !== row.blocked_reason,
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
