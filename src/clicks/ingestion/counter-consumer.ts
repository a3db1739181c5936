import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { type LinkTally, tallyClicks } from "./click-tally.ts";
import {
  addCounts,
  type CountRow,
  deletePositionsExcept,
  findPosition,
  hasRuns,
  insertRun,
  savePosition,
  takeFirstRun,
} from "./ingestion.store.ts";
import type { JournalConsumer, SegmentSlice } from "./journal-consumer.ts";

/** Stores something of its own about each click, in the transaction that counts it. */
export interface CountCompanion {
  /** Reads and computes before the transaction; returns what to write in it, or `null` for nothing. */
  prepare(slices: readonly SegmentSlice[]): Promise<((tx: Sql) => Promise<void>) | null>;
}

export interface CounterOptions {
  readonly companion?: CountCompanion;
  /** How the names of this node's segments start; needed where other nodes keep their positions in the same records. */
  readonly segmentPrefix?: string;
}

// Clicks may be spread over many thousand links: other writers get their turn after some of them, and the event loop,
// which readers of the API share, after a few milliseconds.
const LINKS_A_RUN = 2000;
const LINKS_A_TURN = 256;
// Popular links get clicks on every node, and a batch that conflicts with another would be added again as a whole.
export const COUNT_QUEUE = { queue: "click counts" };

/**
 * Counts clicks on the links themselves, for lists that are sorted by them. Where a batch meets many links, what it adds
 * is noted first, with how far it came, and then added in runs: by the order of the links each of them finds its rows
 * close together, which it would not among the clicks of a moment.
 */
export function counterConsumer(
  records: Records,
  { companion, segmentPrefix = "" }: CounterOptions = {},
): JournalConsumer {
  const finishRuns = async (): Promise<void> => {
    while (await hasRuns(records.read)) await records.write(finishRun, COUNT_QUEUE);
  };

  return {
    name: "link_counts",
    settle: finishRuns,

    async positionOf(segment) {
      return (await findPosition(records.read, segment)) ?? 0;
    },

    async consume(slices) {
      const tallies = new Map<number, LinkTally>();
      for (const { payload } of slices) {
        tallyClicks(payload, tallies);
        await nextTurn();
      }
      const rows = rowsOf(tallies);
      const ends = new Map(slices.map(({ segment, toOffset }) => [segment, toOffset]));
      const writeMore = await companion?.prepare(slices);
      await records.write(async (tx) => {
        if (rows.length <= LINKS_A_RUN) await addInTurns(tx, rows);
        else await noteRuns(tx, rows);
        for (const [segment, position] of ends) await savePosition(tx, { segment, position });
        await writeMore?.(tx);
      }, COUNT_QUEUE);
      if (rows.length > LINKS_A_RUN) await finishRuns();
    },

    async forgetAllBut(segments) {
      await records.write((tx) => deletePositionsExcept(tx, segments, segmentPrefix));
    },
  };
}

/** In the order in which links are stored, so that neighbours are found together. */
const rowsOf = (tallies: ReadonlyMap<number, LinkTally>): CountRow[] =>
  [...tallies].map(([no, { clicks, lastAtMs }]) => ({ no, clicks, lastAt: lastAtMs })).sort((a, b) => a.no - b.no);

async function noteRuns(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += LINKS_A_RUN) {
    await insertRun(tx, rows.slice(start, start + LINKS_A_RUN));
  }
}

async function finishRun(tx: Sql): Promise<void> {
  const rows = await takeFirstRun(tx);
  if (rows) await addInTurns(tx, rows);
}

/** In the order of the links. Other work gets its turn after some of them. */
export async function addInTurns(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += LINKS_A_TURN) {
    if (start > 0) await nextTurn();
    await addCounts(tx, rows.slice(start, start + LINKS_A_TURN));
  }
}
