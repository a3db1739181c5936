import { textGroups } from "../click-format.ts";
import { BadClicks, type ClickBatch, checkpointsOf, type Ingested, type SegmentPosition } from "../clicks-engine.ts";
import { DAY_MS } from "../slots.ts";
import type { StagedBatch } from "./batch.ts";
import { readTsv } from "./files.ts";
import { REWRITE_AGAIN } from "./rewrite.ts";
import { visitorOfDay } from "./schema.ts";
import { int, parameters, type Session } from "./session.ts";
import { dropSummaries, SUMMARISED_UNTIL } from "./summaries.ts";

const columns = {
  at_ms: "bigint",
  account_no: "uinteger",
  link_no: "uinteger",
  flags: "utinyint",
  visitor: "varchar",
  ...Object.fromEntries(textGroups.map(({ name }) => [name, "uinteger"])),
};

const LATE = "a click of a day that is summarised";

// Looking up one combined number takes half the time of two columns.
const LINK = "(account_no::ubigint << 32) + link_no";

const ERASED_LINKS_MANY = 10_000;

export interface IngestOptions {
  /** Clicks before this day may only be stored with `late`: summaries being computed would miss them. */
  readonly untilDay: number;
  /** Delete the summaries that the batch invalidates. */
  readonly late: boolean;
  /** From the batch before, unless something else was written meanwhile. */
  readonly known: KnownState | null;
}

/** What a batch needs to know of the file. Asking for it costs as much as storing thousands of clicks. */
export interface KnownState {
  readonly summarisedUntil: number;
  readonly erasedLinks: number;
  readonly hasErasedAccounts: boolean;
  /** How far segments are stored. */
  readonly positions: ReadonlyMap<string, number>;
}

export interface StoredBatch extends Ingested {
  readonly known: KnownState;
}

/** Call in a transaction. If it fails with an `isLate` error, call again with `late`. */
export async function ingestBatch(
  session: Session,
  batch: ClickBatch,
  staged: StagedBatch,
  options: IngestOptions,
): Promise<StoredBatch> {
  const checkpoints = checkpointsOf(batch);
  const state = await findState(session, checkpoints, options.known);
  if (isIngested(checkpoints, state)) return { clicks: 0, known: state };
  const lines = readTsv(staged.file, columns);
  const limit = int(Math.max(options.untilDay, state.summarisedUntil) * DAY_MS);
  if (options.late) {
    const days = `select distinct account_no, at_ms // ${DAY_MS} as day from ${lines}`;
    await dropSummaries(session, `${days} where at_ms < ${limit}`);
  }
  const erased = erasedCondition(lines, state);
  const clicks = await session.run(`
    insert into clicks
    select ${options.late ? "at_ms" : `case when at_ms < ${limit} then error('${LATE}') else at_ms end`},
      account_no, link_no, flags & 1 <> 0, flags & 2 <> 0, ${visitorOfDay("('0x' || visitor)::ubigint")},
      ${textGroups.map(({ name }) => name).join(", ")}
    from ${lines} ${erased === null ? "" : `where not (${erased})`}`);
  if (clicks !== staged.count) await checkErased(session, checkpoints, { lines, erased, clicks, count: staged.count });
  const rows = checkpoints.map(({ offset }, index) => `($${index + 1}, ${int(offset)})`);
  const segments = checkpoints.map(({ segment }) => segment);
  await session.run(`insert into ingested values ${rows.join(", ")}`, segments);
  const positions = new Map(checkpoints.map(({ segment, offset }) => [segment, offset]));
  return { clicks, known: { ...state, positions } };
}

/** The checkpoint passes every line of the batch, so each must be stored, or belong to something erased. */
async function checkErased(
  session: Session,
  checkpoints: readonly SegmentPosition[],
  batch: { readonly lines: string; readonly erased: string | null; readonly clicks: number; readonly count: number },
): Promise<void> {
  const { lines, erased, clicks, count } = batch;
  const [row] = erased === null ? [] : await session.rows(`select count(*)::double from ${lines} where ${erased}`);
  if (clicks + Number(row?.[0] ?? 0) !== count) {
    throw new BadClicks(checkpoints.map(({ segment }) => segment).join(", "), `${clicks} of ${count} were stored`);
  }
  // Their texts are in the file now.
  await session.run(REWRITE_AGAIN);
}

/** If very many links are erased, only those in the batch: reading its numbers twice is cheaper then. */
function erasedCondition(lines: string, { erasedLinks, hasErasedAccounts }: KnownState): string | null {
  const links = `select ${LINK} from erased_links
    ${erasedLinks > ERASED_LINKS_MANY ? `where link_no in (select link_no from ${lines})` : ""}`;
  const conditions = [
    ...(erasedLinks > 0 ? [`${LINK} in (${links})`] : []),
    ...(hasErasedAccounts ? ["account_no in (select account_no from erased_accounts)"] : []),
  ];
  return conditions.length === 0 ? null : conditions.join(" or ");
}

export const isLate = (error: unknown): boolean => error instanceof Error && error.message.includes(LATE);

/** How far each segment is stored, without unknown ones. */
export async function findCheckpoints(session: Session, segments: readonly string[]): Promise<Map<string, number>> {
  const rows = await session.rows(
    `select segment, max(position)::double from ingested where segment in (${parameters(segments)}) group by segment`,
    segments,
  );
  return new Map(rows.map(([segment, position]) => [String(segment), Number(position)]));
}

/** A batch is either fully stored or not at all: the checkpoints of its segments are committed together. */
function isIngested(checkpoints: readonly SegmentPosition[], { positions }: KnownState): boolean {
  const passed = checkpoints.filter(({ segment, offset }) => (positions.get(segment) ?? -1) >= offset);
  if (passed.length > 0 && passed.length < checkpoints.length) {
    throw new Error("the batch overlaps a stored one; create it again from the checkpoints");
  }
  return passed.length > 0;
}

async function findState(
  session: Session,
  checkpoints: readonly SegmentPosition[],
  known: KnownState | null,
): Promise<KnownState> {
  if (checkpoints.length === 0) throw new Error("a batch without a checkpoint could be counted twice");
  if (known && checkpoints.every(({ segment }) => known.positions.has(segment))) return known;
  const segments = checkpoints.map(({ segment }) => segment);
  const stored = await findCheckpoints(session, segments);
  const positions = new Map(segments.map((segment) => [segment, stored.get(segment) ?? -1]));
  if (known) return { ...known, positions };
  const [row] = await session.rows(
    `select ${SUMMARISED_UNTIL}, (select count(*) from erased_links)::integer, exists (from erased_accounts)`,
  );
  return {
    summarisedUntil: Number(row?.[0]),
    erasedLinks: Number(row?.[1]),
    hasErasedAccounts: row?.[2] === true,
    positions,
  };
}
