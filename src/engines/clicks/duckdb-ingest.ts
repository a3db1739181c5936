import { clickTexts } from "./click-fields.ts";
import type { ClickBatch, Ingested, SegmentPosition } from "./clicks-engine.ts";
import { int, literal, parameters, type Session } from "./duckdb-session.ts";
import { dropSummaries, SUMMARISED_UNTIL } from "./duckdb-summaries.ts";
import { DAY_MS } from "./slots.ts";

const columns = [
  "'at_ms': 'bigint', 'account_no': 'uinteger', 'link_no': 'uinteger', 'bot': 'boolean', 'visitor': 'varchar'",
  ...clickTexts.map((name) => `'${name}': 'varchar'`),
].join(", ");

// Lines have a checksum, so an unreadable one is a bug; it must not block the others.
const lines = (file: string): string =>
  `read_csv(${literal(file)}, columns = {${columns}}, delim = '\t', nullstr = '', new_line = '\\n', header = false,
    auto_detect = false, quote = '', escape = '', ignore_errors = true)`;

// The end of the year 9999; later slots don't fit their column.
const AT_MS_MAX = 253_402_300_799_999;
const LATE = "a click of a day that is summarised";

// Looking up one combined number takes half the time of two columns.
const LINK = "(account_no::ubigint << 32) + link_no";

const ERASED_LINKS_MANY = 10_000;

export interface IngestOptions {
  /** Clicks before this day may only be stored with `late`: summaries being computed would miss them. */
  readonly untilDay: number;
  /** Delete the summaries that the batch invalidates. */
  readonly late: boolean;
}

/** Call in a transaction. If it fails with an `isLate` error, call again with `late`. */
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

/** If very many links are erased, only those in the batch: reading its numbers twice is cheaper then. */
const erasedLinks = ({ file }: ClickBatch, state: State): string =>
  `select ${LINK} from erased_links
    ${state.erasedLinks > ERASED_LINKS_MANY ? `where link_no in (select link_no from ${lines(file)})` : ""}`;

export const isLate = (error: unknown): boolean => error instanceof Error && error.message.includes(LATE);

/** How far each segment is stored, without unknown ones. */
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

/** A batch is either fully stored or not at all: the checkpoints of its segments are committed together. */
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
    throw new Error("the batch overlaps a stored one; create it again from the checkpoints");
  }
  return {
    isIngested: known > 0,
    summarisedUntil: Number(row?.[1]),
    erasedLinks: Number(row?.[2]),
    hasErasedAccounts: row?.[3] === true,
  };
}
