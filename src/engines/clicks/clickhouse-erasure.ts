import type { Erased } from "./clickhouse-erased.ts";
import { type ClickHouseSession, int, REWRITE_TIMEOUT_MS } from "./clickhouse-session.ts";
import type { LinkNumber } from "./clicks-engine.ts";

const clickTables = ["clicks", "expiring_clicks"];
const tables = [...clickTables, "compacted_clicks", "compacted_visitors", "link_tags"];

/** Within this time, a batch that was being sent when its links were erased has arrived or never will. */
const SETTLED = "interval 1 hour";
const STATEMENT_LINKS_MAX = 2000;

export async function eraseLinkClicks(session: ClickHouseSession, links: readonly LinkNumber[]): Promise<void> {
  const pairs = pairsOf(links);
  for (let first = 0; first < pairs.length; first += STATEMENT_LINKS_MAX) {
    const list = pairs.slice(first, first + STATEMENT_LINKS_MAX).join(", ");
    await session.run(`insert into erased_links (account_no, link_no) values ${list}`);
    await deleteWhere(session, `(account_no, link_no) in (${list})`);
  }
}

export async function eraseAccountClicks(session: ClickHouseSession, accountNo: number): Promise<void> {
  await session.run(`insert into erased_accounts (account_no) values (${int(accountNo)})`);
  await deleteWhere(session, `account_no = ${int(accountNo)}`);
}

/** Deletes rows of a batch that was being sent when another node erased their links. */
export async function eraseFromBatch(
  session: ClickHouseSession,
  batch: number,
  erased: readonly Erased[],
): Promise<void> {
  const links = erased.filter(({ linkNo }) => linkNo > 0);
  const accounts = erased.filter(({ linkNo }) => linkNo === 0);
  const conditions = [
    ...(links.length === 0 ? [] : [`(account_no, link_no) in (${pairsOf(links).join(", ")})`]),
    ...(accounts.length === 0 ? [] : [`account_no in (${accounts.map(({ accountNo }) => int(accountNo)).join(", ")})`]),
  ];
  await deleteWhere(session, `batch = ${int(batch)} and (${conditions.join(" or ")})`, clickTables);
}

const pairsOf = (links: readonly LinkNumber[]): readonly string[] =>
  links.map(({ accountNo, linkNo }) => `(${int(accountNo)}, ${int(linkNo)})`);

/**
 * Erases again what batches under way may have added since, and rewrites the files with rows that are only marked as
 * deleted. The server keeps the previous files for a few minutes.
 */
export async function reclaimErased(session: ClickHouseSession): Promise<void> {
  const recent = `at > now64(3) - ${SETTLED} - interval 1 day`;
  const [row] = await session.rows(
    `select (select count() from erased_links where ${recent}) + (select count() from erased_accounts where ${recent})`,
  );
  if (Number(row?.[0]) > 0) {
    await deleteWhere(
      session,
      `(account_no, link_no) in (select account_no, link_no from erased_links where ${recent})
        or account_no in (select account_no from erased_accounts where ${recent})`,
    );
  }
  for (const table of [...tables, "batches"]) {
    const [found] = await session.rows(
      `select count() from system.parts
      where database = currentDatabase() and table = '${table}' and active and has_lightweight_delete`,
    );
    if (Number(found?.[0]) > 0) await rewrite(session, table);
  }
}

const rewrite = (session: ClickHouseSession, table: string): Promise<void> =>
  session.run(`alter table ${table} apply deleted mask`, {
    settings: { mutations_sync: "2" },
    timeoutMs: REWRITE_TIMEOUT_MS,
  });

async function deleteWhere(
  session: ClickHouseSession,
  condition: string,
  from: readonly string[] = tables,
): Promise<void> {
  for (const table of from) {
    // Deleting nothing would cost as much as deleting some rows.
    const [row] = await session.rows(`select count() from ${table} where ${condition}`);
    if (Number(row?.[0]) === 0) continue;
    await session.run(`delete from ${table} where ${condition}`, { timeoutMs: REWRITE_TIMEOUT_MS });
  }
}
