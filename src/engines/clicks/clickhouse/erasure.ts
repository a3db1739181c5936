import type { LinkNumber } from "../clicks-engine.ts";
import { chunksOf } from "./chunks.ts";
import type { Erased } from "./erased.ts";
import { type ClickHouseSession, int, REWRITE_TIMEOUT_MS } from "./session.ts";

const clickTables = ["clicks", "expiring_clicks"];
const importedTables = ["imported_clicks", "imported_visits", "imported_visitors"];
const tables = [...clickTables, "compacted_clicks", "compacted_visitors", "link_tags", ...importedTables];

/**
 * Longer than the time between two reclaims: a batch that was being sent when its links were erased has arrived by the
 * next one, or never will.
 */
const RECENT = "interval 3 days";

export async function eraseLinkClicks(session: ClickHouseSession, links: readonly LinkNumber[]): Promise<void> {
  for (const chunk of chunksOf(links)) {
    const pairs = pairsOf(chunk);
    const list = pairs.join(", ");
    // An erasure that failed is tried again, and shouldn't be noted again each time.
    const found = await session.rows(
      `select account_no, link_no from erased_links where (account_no, link_no) in (${list})`,
    );
    const noted = new Set(pairsOf(found.map(([accountNo, linkNo]) => toNumbers(accountNo, linkNo))));
    const added = pairs.filter((pair) => !noted.has(pair));
    if (added.length > 0) {
      await session.run(`insert into erased_links (account_no, link_no) values ${added.join(", ")}`);
    }
    await deleteWhere(session, `(account_no, link_no) in (${list})`);
  }
}

export async function eraseAccountClicks(session: ClickHouseSession, accountNo: number): Promise<void> {
  const isThis = `account_no = ${int(accountNo)}`;
  const [row] = await session.rows(`select count() from erased_accounts where ${isThis}`);
  if (Number(row?.[0]) === 0) {
    await session.run(`insert into erased_accounts (account_no) values (${int(accountNo)})`);
  }
  await deleteWhere(session, isThis, { from: [...tables, "imported_batches"] });
}

/** The same for a batch of imported counts. */
export async function eraseFromImport(
  session: ClickHouseSession,
  number: number,
  erased: readonly Erased[],
): Promise<void> {
  for (const condition of conditionsFor(erased)) {
    await deleteWhere(session, `batch = ${int(number)} and ${condition}`, { from: importedTables });
  }
}

interface BatchName {
  readonly node: string;
  readonly number: number;
}

/** Deletes rows of a batch that was being sent when another node erased their links. */
export async function eraseFromBatch(
  session: ClickHouseSession,
  { node, number }: BatchName,
  erased: readonly Erased[],
): Promise<void> {
  for (const condition of conditionsFor(erased)) {
    const ofBatch = `node = {node:String} and batch = ${int(number)} and ${condition}`;
    await deleteWhere(session, ofBatch, { from: clickTables, values: { node } });
  }
}

/** Conditions for what was erased, each short enough for a statement, and none that asks for anything itself. */
function conditionsFor(erased: readonly Erased[]): readonly string[] {
  const links = erased.filter(({ linkNo }) => linkNo > 0);
  const accounts = erased.filter(({ linkNo }) => linkNo === 0);
  return [
    ...chunksOf(links).map((chunk) => `(account_no, link_no) in (${pairsOf(chunk).join(", ")})`),
    ...chunksOf(accounts).map((chunk) => `account_no in (${chunk.map(({ accountNo }) => int(accountNo)).join(", ")})`),
  ];
}

const toNumbers = (accountNo: unknown, linkNo: unknown): LinkNumber => ({
  accountNo: Number(accountNo),
  linkNo: Number(linkNo),
});

const pairsOf = (links: readonly LinkNumber[]): readonly string[] =>
  links.map(({ accountNo, linkNo }) => `(${int(accountNo)}, ${int(linkNo)})`);

/**
 * Erases again what batches under way may have added since, and rewrites the files with rows that are only marked as
 * deleted. The server keeps the previous files for a few minutes.
 */
export async function reclaimErased(session: ClickHouseSession): Promise<void> {
  const recent = `at > now64(3) - ${RECENT}`;
  const erased = await session.rows(
    `select account_no, link_no from erased_links where ${recent}
    union all select account_no, 0 from erased_accounts where ${recent}`,
  );
  for (const condition of conditionsFor(erased.map(([accountNo, linkNo]) => toNumbers(accountNo, linkNo)))) {
    await deleteWhere(session, condition);
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
    settings: { mutations_sync: "1" },
    timeoutMs: REWRITE_TIMEOUT_MS,
  });

interface Deletion {
  readonly from?: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
}

async function deleteWhere(
  session: ClickHouseSession,
  condition: string,
  { from = tables, values = {} }: Deletion = {},
): Promise<void> {
  for (const table of from) {
    // Deleting nothing would cost as much as deleting some rows.
    const [row] = await session.rows(`select count() from ${table} where ${condition}`, { values });
    if (Number(row?.[0]) === 0) continue;
    await session.run(`delete from ${table} where ${condition}`, { values, timeoutMs: REWRITE_TIMEOUT_MS });
  }
}
