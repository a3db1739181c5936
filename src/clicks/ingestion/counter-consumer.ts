import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement, statementForEach } from "#engines/records/statement.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { type LinkTally, tallyClicks } from "./click-tally.ts";
import type { JournalConsumer, SegmentSlice } from "./journal-consumer.ts";

const savePosition = statement((db, { segment, position }: { segment: string; position: number }) =>
  db
    .insertInto("click_positions")
    .values({ segment, position })
    .onConflict((on) => on.column("segment").doUpdateSet({ position })),
);

/** Somebody who wants to store something about each click, in the transaction that counts it. */
export interface ClickListener {
  /** Does its reading and thinking before the transaction; returns what to do in it, or `null` for nothing. */
  prepare(slices: readonly SegmentSlice[]): Promise<((tx: Sql) => Promise<void>) | null>;
}

// Clicks may be spread over many thousand links: other writers get their turn after some of them, and the event loop,
// which readers of the API share, after a few milliseconds.
const LINKS_A_RUN = 2000;
const LINKS_A_TURN = 256;

interface CountRow {
  readonly no: number;
  readonly clicks: number;
  readonly lastAt: number;
}

/** Clicks on a link that was deleted meanwhile meet no row. */
const addCount = statementForEach((db, { no, clicks, lastAt }: CountRow) =>
  db
    .updateTable("link_counts")
    .set((eb) => ({
      click_count: eb("click_count", "+", clicks),
      last_clicked_at: eb
        .case()
        .when("last_clicked_at", "<", lastAt)
        .then(lastAt)
        .else(eb.ref("last_clicked_at"))
        .end(),
    }))
    .where("link_no", "=", no),
);

/**
 * Counts clicks on the links themselves, for lists that are sorted by them. Where a batch meets many links, what it adds
 * is noted first, with how far it came, and then added in runs: by the order of the links each of them finds its rows
 * close together, which it would not among the clicks of a moment.
 */
export function counterConsumer(records: Records, listener?: ClickListener): JournalConsumer {
  const finishRuns = async (): Promise<void> => {
    while (await hasRuns(records.read)) await records.write(finishRun);
  };

  return {
    name: "link_counts",
    settle: finishRuns,

    async positionOf(segment) {
      const query = records.read.selectFrom("click_positions").select("position").where("segment", "=", segment);
      return (await query.executeTakeFirst())?.position ?? 0;
    },

    async consume(slices) {
      const tallies = new Map<number, LinkTally>();
      for (const { payload } of slices) {
        tallyClicks(payload, tallies);
        await nextTurn();
      }
      const rows = rowsOf(tallies);
      const ends = new Map(slices.map(({ segment, toOffset }) => [segment, toOffset]));
      const alsoStore = await listener?.prepare(slices);
      await records.write(async (tx) => {
        if (rows.length <= LINKS_A_RUN) await addCounts(tx, rows);
        else await noteRuns(tx, rows);
        for (const [segment, position] of ends) await savePosition(tx, { segment, position });
        await alsoStore?.(tx);
      });
      if (rows.length > LINKS_A_RUN) await finishRuns();
    },

    async forgetAllBut(segments) {
      await records.write((tx) => tx.deleteFrom("click_positions").where("segment", "not in", segments).execute());
    },
  };
}

/** In the order in which links are stored, so that neighbours are found together. */
const rowsOf = (tallies: ReadonlyMap<number, LinkTally>): CountRow[] =>
  [...tallies].map(([no, { clicks, lastAtMs }]) => ({ no, clicks, lastAt: lastAtMs })).sort((a, b) => a.no - b.no);

async function noteRuns(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += LINKS_A_RUN) {
    const run = JSON.stringify(rows.slice(start, start + LINKS_A_RUN));
    await tx.insertInto("link_count_runs").values({ rows: run }).execute();
  }
}

const hasRuns = async (sql: Sql): Promise<boolean> =>
  (await sql.selectFrom("link_count_runs").select("no").limit(1).executeTakeFirst()) !== undefined;

async function finishRun(tx: Sql): Promise<void> {
  const run = await tx.selectFrom("link_count_runs").selectAll().orderBy("no").limit(1).executeTakeFirst();
  if (!run) return;
  await addCounts(tx, JSON.parse(run.rows) as CountRow[]);
  await tx.deleteFrom("link_count_runs").where("no", "=", run.no).execute();
}

async function addCounts(tx: Sql, rows: readonly CountRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += LINKS_A_TURN) {
    if (start > 0) await nextTurn();
    await addCount(tx, rows.slice(start, start + LINKS_A_TURN));
  }
}
