import { clickTexts } from "./click-fields.ts";
import type { ClickBatch, Ingested, SegmentPosition } from "./clicks-engine.ts";
import { int, literal, parameters, type Session } from "./duckdb-session.ts";
import { dropSummaries, SUMMARISED_UNTIL } from "./duckdb-summaries.ts";
import { DAY_MS } from "./slots.ts";

const columns = [
  "'at_ms': 'bigint', 'account_no': 'uinteger', 'link_no': 'uinteger', 'bot': 'boolean', 'visitor': 'varchar'",
  ...clickTexts.map((name) => `'${name}': 'varchar'`),
].join(", ");

// The lines carry a checksum, so one that cannot be read is a mistake of ours; it must not hold up all others.
const lines = (file: string): string =>
  `read_csv(${literal(file)}, columns = {${columns}}, delim = '\t', nullstr = '', new_line = '\\n', header = false,
    auto_detect = false, quote = '', escape = '', ignore_errors = true)`;

// The end of the year 9999: beyond it a slot has no place in its column.
const AT_MS_MAX = 253_402_300_799_999;
const LATE = "a click of a day that is summarised";

// One number for both is looked up in half the time that two columns take.
const LINK = "(account_no::ubigint << 32) + link_no";

const ERASED_LINKS_MANY = 10_000;

export interface IngestOptions {
  /** No click before this day may be stored unless `late` is set: summaries that are under way would miss it. */
  readonly untilDay: number;
  /** Throw away the summaries that the batch makes wrong. */
  readonly late: boolean;
}

/** To be run in a transaction. Fails with an error that `isLate` where it must be run again with `late`. */
export async function ingestBatch(session: Session, batch: ClickBatch, options: IngestOptions): Promise<Ingested> {
  const state = await readState(session, batch.checkpoints);
  if (state.isIngested) return { clicks: 0 };
  const limit = int(Math.max(options.untilDay, state.summarisedUntil) * DAY_MS);
  if (options.late) {
    const days = `select distinct account_no, at_ms // ${DAY_MS} as day from ${lines(batch.file)}`;
    await dropSummaries(session, `${days} where at_ms < ${limit}`);
  }
  const clicks = await session.run(`
    insert into clicks
    select ${options.late ? "at_ms" : `case when at_ms < ${limit} then error('${LATE}') else at_ms end`},
      account_no, link_no, bot, try_cast('0x' || visitor as ubigint), ${clickTexts.join(", ")}
    from ${lines(batch.file)}
    where at_ms between 0 and ${AT_MS_MAX}
      ${state.erasedLinks > 0 ? `and ${LINK} not in (${erasedLinks(batch, state)})` : ""}
      ${state.hasErasedAccounts ? "and account_no not in (select account_no from erased_accounts)" : ""}`);
  const rows = batch.checkpoints.map(({ offset }, index) => `($${index + 1}, ${int(offset)})`);
  const segments = batch.checkpoints.map(({ segment }) => segment);
  await session.run(`insert into ingested values ${rows.join(", ")}`, segments);
  return { clicks };
}

/** Of very many, only those that the batch may have clicks of: a second reading of its numbers is cheaper by then. */
const erasedLinks = ({ file }: ClickBatch, state: State): string =>
  `select ${LINK} from erased_links
    ${state.erasedLinks > ERASED_LINKS_MANY ? `where link_no in (select link_no from ${lines(file)})` : ""}`;

export const isLate = (error: unknown): boolean => error instanceof Error && error.message.includes(LATE);

/** Up to where each segment is stored; those that were never seen are left out. */
export async function findCheckpoints(session: Session, segments: readonly string[]): Promise<Map<string, number>> {
  const rows = await session.rows(
    `select segment, max(position)::double from ingested where segment in (${parameters(segments)}) group by segment`,
    segments,
  );
  return new Map(rows.map(([segment, position]) => [String(segment), Number(position)]));
}

interface State {
  readonly isIngested: boolean;
  readonly summarisedUntil: number;
  readonly erasedLinks: number;
  readonly hasErasedAccounts: boolean;
}

/** A batch is known as a whole or not at all: the checkpoints of its segments were committed together. */
async function readState(session: Session, checkpoints: readonly SegmentPosition[]): Promise<State> {
  if (checkpoints.length === 0) throw new Error("a batch without a checkpoint could be counted twice");
  const passed = checkpoints
    .map(({ offset }, index) => `(segment = $${index + 1} and position >= ${int(offset)})`)
    .join(" or ");
  const [row] = await session.rows(
    `select (select count(distinct segment) from ingested where ${passed})::integer, ${SUMMARISED_UNTIL},
      (select count(*) from erased_links)::integer, exists (from erased_accounts)`,
    checkpoints.map(({ segment }) => segment),
  );
  const known = Number(row?.[0]);
  if (known > 0 && known < checkpoints.length) {
    throw new Error("the batch overlaps one that is stored; it must be made anew from the checkpoints");
  }
  return {
    isIngested: known > 0,
    summarisedUntil: Number(row?.[1]),
    erasedLinks: Number(row?.[2]),
    hasErasedAccounts: row?.[3] === true,
  };
}
