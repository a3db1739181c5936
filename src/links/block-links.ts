import type { Selectable } from "kysely";
import { appendAudit } from "#audit/audit.service.ts";
import type { BlockReason } from "#contract/errors.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { LinksTable, Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Blocklist } from "./blocklist.ts";
import { linkColumns, updateLink } from "./links.store.ts";

type BlockedBy = NonNullable<Selectable<LinksTable>["blocked_by"]>;

interface Block {
  readonly reason: BlockReason;
  readonly by: BlockedBy;
}

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

// A batch is one transaction: large enough to be quick, small enough to let other writers in between.
const BATCH = 500;

/** The operator's side of a link: blocking belongs to no account and cannot be undone by its owner. */
export function linkBlocking({ records, clock }: Deps) {
  const setBlock = async (tx: Sql, no: number, block: Block | null): Promise<void> => {
    const at = clock();
    const row = await tx.selectFrom("links").select(linkColumns).where("no", "=", no).executeTakeFirst();
    if (!row || (row.blocked_reason === (block?.reason ?? null) && row.blocked_by === (block?.by ?? null))) return;
    const changed = await updateLink(tx, row, {
      blocked_reason: block?.reason ?? null,
      blocked_at: block ? at : null,
      blocked_by: block?.by ?? null,
      updated_at: at,
    });
    await appendChange(tx, changed.slug, at);
    await appendAudit(tx, {
      at,
      accountNo: row.account_no,
      actor: block?.by ?? row.blocked_by ?? "operator",
      action: block ? "link.blocked" : "link.unblocked",
      subject: row.id,
      ...(block && { details: { reason: block.reason } }),
    });
  };

  const findNo = async (tx: Sql, idOrSlug: string): Promise<number> => {
    const links = tx.selectFrom("links").select("no");
    // The id first: a slug may be chosen to look like the id of another link.
    const row =
      (await links.where("id", "=", idOrSlug).executeTakeFirst()) ??
      (await links.where("slug", "=", idOrSlug.toLowerCase()).executeTakeFirst());
    if (!row) throw new Error(`there is no link with the id or slug "${idOrSlug}"`);
    return row.no;
  };

  return {
    block: (idOrSlug: string, reason: BlockReason): Promise<void> =>
      records.write(async (tx) => setBlock(tx, await findNo(tx, idOrSlug), { reason, by: "operator" })),

    unblock: (idOrSlug: string): Promise<void> =>
      records.write(async (tx) => setBlock(tx, await findNo(tx, idOrSlug), null)),

    /** Holds every link against the list: those on it are blocked, those it blocked before and no longer names are free. */
    async applyBlocklist(blocklist: Blocklist): Promise<{ blocked: number; unblocked: number }> {
      const counts = { blocked: 0, unblocked: 0 };
      for (let after = 0; ; ) {
        const rows = await records.scan
          .selectFrom("links")
          .select(["no", "destination_url", "blocked_by", "blocked_reason"])
          .where("no", ">", after)
          .orderBy("no")
          .limit(BATCH)
          .execute();
        const last = rows.at(-1);
        if (!last) return counts;
        after = last.no;
        const changes = rows.flatMap((row) => {
          const reason = blocklist.find(row.destination_url);
          if (row.blocked_by === "operator" || reason === row.blocked_reason) return [];
          return [{ no: row.no, block: reason && { reason, by: "blocklist" as const } }];
        });
        if (changes.length === 0) continue;
        await records.write(async (tx) => {
          for (const { no, block } of changes) await setBlock(tx, no, block);
        });
        for (const { block } of changes) counts[block ? "blocked" : "unblocked"] += 1;
      }
    },
  };
}
export type LinkBlocking = ReturnType<typeof linkBlocking>;
