import type { Sql } from "#engines/records/schema.ts";
import type { LinkRow } from "./link-record.ts";
import { selectLinkRows } from "./links.store.ts";

/** The last link that was announced; number 0 stands for all that expired until then. */
export interface ExpiryMark {
  readonly at: number;
  readonly no: number;
}

export const findExpiryMark = (tx: Sql): Promise<ExpiryMark | undefined> =>
  tx.selectFrom("expiry_mark").select(["at", "link_no as no"]).executeTakeFirst();

export async function saveExpiryMark(tx: Sql, { at, no }: ExpiryMark): Promise<void> {
  await tx
    .insertInto("expiry_mark")
    .values({ id: 1, at, link_no: no })
    .onConflict((on) => on.column("id").doUpdateSet({ at, link_no: no }))
    .execute();
}

/** Of all accounts, those that expired after the mark, in this order. */
export const listExpired = (tx: Sql, after: ExpiryMark, upTo: number, most: number): Promise<LinkRow[]> =>
  selectLinkRows(tx)
    .where("links.expires_at", ">=", after.at)
    .where("links.expires_at", "<=", upTo)
    .where((eb) => eb(eb.refTuple("links.expires_at", "links.no"), ">", eb.tuple(after.at, markedNo(after))))
    .orderBy("links.expires_at")
    .orderBy("links.no")
    .limit(most)
    .execute();

const markedNo = ({ no }: ExpiryMark): number => (no === 0 ? Number.MAX_SAFE_INTEGER : no);
