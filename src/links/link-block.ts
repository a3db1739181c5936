import type { Selectable } from "kysely";
import { appendAudit } from "#audit/audit.service.ts";
import type { BlockReason } from "#contract/errors.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { LinksTable, Sql } from "#engines/records/schema.ts";
import { slugOf } from "#kernel/link-key.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import { updateDeleted } from "./deleted-links.store.ts";
import { storedUrlsOf } from "./link-destinations.ts";
import { type DeletedRow, isDeleted, type LinkRow, type ShortOrigin, toLink } from "./link-record.ts";
import { appendVersion } from "./link-version.ts";
import { updateLink } from "./links.store.ts";

type BlockedBy = NonNullable<Selectable<LinksTable>["blocked_by"]>;

export interface Block {
  readonly reason: BlockReason;
  readonly by: BlockedBy;
}

interface Deps {
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
}

/** Blocks or unblocks a link, and records that; returns `row` itself if nothing changes. */
export async function setBlock<Row extends LinkRow | DeletedRow>(
  tx: Sql,
  { outbox, origin }: Deps,
  row: Row,
  block: Block | null,
  at: number,
): Promise<Row> {
  if (row.blocked_reason === (block?.reason ?? null) && row.blocked_by === (block?.by ?? null)) return row;
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
  const actor = block?.by ?? row.blocked_by ?? "operator";
  const link = toLink(changed, origin, at);
  await appendVersion(tx, {
    by: { actor, via: "server" },
    at,
    action: block ? "blocked" : "unblocked",
    from: { row, link: toLink(row, origin, at) },
    to: { row: changed, link },
  });
  const event = block ? "link.blocked" : "link.unblocked";
  await appendAudit(tx, {
    at,
    accountNo: row.account_no,
    actor,
    action: event,
    subject: row.id,
    details: { slug: slugOf(row.key), ...(block && { reason: block.reason }) },
  });
  await outbox.append(tx, { type: event, accountNo: row.account_no, at, data: () => ({ link }) });
  return changed as Row;
}

/** What a block list says. One bad address is enough: visitors can't tell which of them they will get. */
export function findListedBlock(
  row: Pick<LinkRow, "destination_url" | "settings">,
  reasonOf: (url: string) => BlockReason | null,
): Block | null {
  for (const url of storedUrlsOf(row)) {
    const reason = reasonOf(url);
    if (reason !== null) return { reason, by: "blocklist" };
  }
  return null;
}
