import { type ClickCount, type CountBatch, checkCounts } from "../click-counts.ts";
import { clickTexts } from "../click-format.ts";
import type { Ingested, LinkNumber } from "../clicks-engine.ts";
import type { ErasedNumbers } from "./erased.ts";
import { eraseFromImport } from "./erasure.ts";
import { type ClickHouseSession, int, type Row } from "./session.ts";

interface CountsTo {
  readonly session: ClickHouseSession;
  readonly erased: ErasedNumbers;
  readonly timeoutMs: number;
}

/**
 * Rows have the number of their batch and count once `imported_batches` has it. If that is unknown, the batch is sent
 * again under another number: of several numbers for one batch, the lowest counts.
 */
export async function storeCountBatch({ session, erased, timeoutMs }: CountsTo, batch: CountBatch): Promise<Ingested> {
  checkCounts(batch, clickTexts);
  const { accountNo, importId, no } = batch;
  if ((await findLastBatch(session, accountNo, importId)) >= no) return { clicks: 0 };
  const look = await erased.look(async () => linksOf(batch));
  const isKept = (linkNo: number): boolean => look.isErased?.(accountNo, linkNo) !== true;
  const counts = batch.counts.filter((count) => isKept(count.link_no));
  const visitors = batch.visitors.filter(({ linkNo }) => isKept(linkNo));
  const number = newBatchNumber();
  const insert = async (table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return;
    await session.insertRows(
      `${table} (batch, account_no, ${columns.join(", ")})`,
      rows.map((row) => [number, accountNo, ...row]),
      {
        settings: {
          insert_deduplication_token: `${number}:${table}`,
          // Counts may be of any number of months.
          max_partitions_per_insert_block: "0",
        },
        timeoutMs,
      },
    );
  };
  const [byVisitor, plain] = [true, false].map((is) => counts.filter(({ visitor }) => (visitor !== undefined) === is));
  await insert(
    "imported_clicks",
    [...sharedColumns, "has_hour", "known", "earlier", "all_known"],
    (plain ?? []).map(toCountRow),
  );
  await insert("imported_visits", [...sharedColumns, "visitor"], (byVisitor ?? []).map(toVisitRow));
  await insert(
    "imported_visitors",
    ["link_no", "day", "with_bots", "clicks", "visitors"],
    visitors.map((of) => [of.linkNo, of.day, of.withBots, of.clicks, of.visitors]),
  );
  // Another node may have erased links meanwhile, before these rows were there to be deleted.
  const added = await look.findAdded();
  if (added.length > 0) await eraseFromImport(session, number, added);
  await session.insertRows("imported_batches (account_no, import, no, batch)", [[accountNo, importId, no, number]]);
  const isGone = new Set(added.filter((one) => one.accountNo === accountNo).map(({ linkNo }) => linkNo));
  const stored = counts.filter(({ link_no, cut }) => cut.earlier === 0 && !isGone.has(link_no) && !isGone.has(0));
  return { clicks: stored.reduce((sum, { clicks }) => sum + clicks, 0) };
}

const sharedColumns = ["link_no", "at_ms", "bot", "qr", "clicks", ...clickTexts];

const shared = (count: ClickCount): Row => [
  ...[count.link_no, count.at_ms, count.bot, count.source === "qr", count.clicks],
  ...clickTexts.map((name) => count[name]),
];

const toCountRow = (count: ClickCount): Row => [
  ...shared(count),
  ...[count.has_hour, count.cut.known, count.cut.earlier, count.cut.all],
];

// As a text: 64 bits don't fit in a number.
const toVisitRow = (count: ClickCount): Row => [
  ...shared(count),
  count.visitor == null ? null : BigInt(`0x${count.visitor}`).toString(),
];

function linksOf({ accountNo, counts, visitors }: CountBatch): LinkNumber[] {
  const numbers = new Set([...counts.map(({ link_no }) => link_no), ...visitors.map(({ linkNo }) => linkNo)]);
  return [...numbers].map((linkNo) => ({ accountNo, linkNo }));
}

/** Begins with its time, and no other node draws the same. */
export const newBatchNumber = (): number => Date.now() * NUMBERS_PER_MS + Math.floor(Math.random() * NUMBERS_PER_MS);
const NUMBERS_PER_MS = 2048;

/** Longer than a batch takes. */
const INTERRUPTED_MS = 6 * 3_600_000;

/** Every batch number below this one that doesn't count never will. */
export const interruptedBefore = (): string => int((Date.now() - INTERRUPTED_MS) * NUMBERS_PER_MS);

export async function findLastBatch(session: ClickHouseSession, accountNo: number, importId: string): Promise<number> {
  const [row] = await session.rows(
    `select max(no) from imported_batches where account_no = ${int(accountNo)} and import = {import:String}`,
    { values: { import: importId } },
  );
  return Number(row?.[0]);
}

const STORED_BATCHES = "select min(batch) from imported_batches group by account_no, import, no";

/** Of `imported_clicks` and `imported_visitors`: those of stored batches, and those that visits were reduced to. */
export const IMPORTED_THAT_COUNT = `batch in (${STORED_BATCHES} union all select run from imported_compactions)`;

/** Of `imported_visits`: those of stored batches, unless they were reduced to counts. */
export const VISITS_THAT_COUNT = `batch in (${STORED_BATCHES}) and (intDiv(at_ms, 86400000), batch) not in (
  select day, arrayJoin(batches) from imported_compactions)`;
