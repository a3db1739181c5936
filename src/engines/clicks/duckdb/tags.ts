import type { LinkTags } from "../clicks-engine.ts";
import { int, type Session } from "./session.ts";

/** Not a real account: this row stores the position of the tags. */
const POSITION_NO = 0;

const ROWS = `(
  select unnest(from_json($1, '[{"account_no":"UINTEGER","link_no":"UINTEGER","tags":["VARCHAR"]}]'), recursive := true)
)`;

const toJson = (changes: readonly LinkTags[]): string =>
  JSON.stringify(changes.map(({ accountNo, linkNo, tags }) => ({ account_no: accountNo, link_no: linkNo, tags })));

/** Skips erased links, whose tags may have been read before the erasure. */
const notErased = (rows: string): string =>
  `from ${rows} t
    where not exists (from erased_links e where e.account_no = t.account_no and e.link_no = t.link_no)
      and account_no not in (select account_no from erased_accounts)`;

const savePosition = (session: Session, position: number): Promise<number> =>
  session.run(`insert into link_tags values (${int(position)}, ${POSITION_NO}, ${POSITION_NO}, [])`);

/** Call in a transaction. */
export async function storeLinkTags(session: Session, changes: readonly LinkTags[], position: number): Promise<void> {
  if (changes.length > 0) {
    const stored = `select ${int(position)}, account_no, link_no, tags ${notErased(ROWS)}`;
    await session.run(`insert into link_tags ${stored}`, [toJson(changes)]);
  }
  await savePosition(session, position);
}

/** Collects the tags of all links in a temporary table, for `storeAllLinkTags` on the same session. */
export async function gatherLinkTags(session: Session, batches: AsyncIterable<readonly LinkTags[]>): Promise<void> {
  await session.run(
    "create or replace temp table next_link_tags (account_no uinteger, link_no uinteger, tags varchar[])",
  );
  for await (const batch of batches) {
    await session.run(`insert into next_link_tags select account_no, link_no, tags from ${ROWS}`, [toJson(batch)]);
  }
}

/** Call in a transaction. */
export async function storeAllLinkTags(session: Session, position: number): Promise<void> {
  await session.run("delete from link_tags");
  await session.run(
    `insert into link_tags select ${int(position)}, account_no, link_no, tags ${notErased("next_link_tags")}`,
  );
  await savePosition(session, position);
}

export async function dropGatheredLinkTags(session: Session): Promise<void> {
  await session.run("drop table if exists next_link_tags");
}

export async function findLinkTagsPosition(session: Session): Promise<number> {
  const [row] = await session.rows(
    `select coalesce(max(position), -1)::double from link_tags where account_no = ${POSITION_NO}`,
  );
  return Number(row?.[0]);
}

/** Deletes the previous tags of links. Call in a transaction. */
export async function compactLinkTags(session: Session): Promise<void> {
  await session.run(`
    delete from link_tags t using (
      select account_no, link_no, max(position) as newest from link_tags group by all having count(*) > 1
    ) n where t.account_no = n.account_no and t.link_no = n.link_no and t.position < n.newest`);
  await session.run(`delete from link_tags where len(tags) = 0 and account_no <> ${POSITION_NO}`);
}
