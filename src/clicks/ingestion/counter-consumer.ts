import { sql } from "kysely";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
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
const LINKS_TOGETHER = 2000;
const LINKS_A_TURN = 256;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counts clicks on the links themselves, for lists that are sorted by them. */
export function counterConsumer(records: Records, listener?: ClickListener): JournalConsumer {
  return {
    name: "link_counts",

    async positionOf(segment) {
      const query = records.read.selectFrom("click_positions").select("position").where("segment", "=", segment);
      return (await query.executeTakeFirst())?.position ?? 0;
    },

    async consume(slices) {
      let tallies = new Map<number, LinkTally>();
      let taken: SegmentSlice[] = [];
      for (const [index, slice] of slices.entries()) {
        tallyClicks(slice.payload, tallies);
        taken.push(slice);
        if (tallies.size < LINKS_TOGETHER && index < slices.length - 1) continue;
        await storeTallies(records, tallies, taken, await listener?.prepare(taken));
        tallies = new Map();
        taken = [];
      }
    },

    async forget(segments) {
      await records.write((tx) => tx.deleteFrom("click_positions").where("segment", "in", segments).execute());
    },
  };
}

async function storeTallies(
  records: Records,
  tallies: ReadonlyMap<number, LinkTally>,
  slices: readonly SegmentSlice[],
  alsoStore: Awaited<ReturnType<ClickListener["prepare"]>> | undefined,
): Promise<void> {
  const rows = rowsOf(tallies);
  const ends = new Map(slices.map(({ segment, toOffset }) => [segment, toOffset]));
  await records.write(async (tx) => {
    for (let start = 0; start < rows.length; start += LINKS_A_TURN) {
      if (start > 0) await nextTurn();
      const added = records.table(["no", "clicks", "last_at"], rows.slice(start, start + LINKS_A_TURN));
      // Clicks on links that were deleted meanwhile meet no row.
      await sql`update links set click_count = click_count + added.clicks, last_clicked_at =
        case when last_clicked_at < added.last_at then added.last_at else last_clicked_at end
        from ${added} as added where links.no = added.no`.execute(tx);
    }
    for (const [segment, position] of ends) await savePosition(tx, { segment, position });
    await alsoStore?.(tx);
  });
}

/** In the order in which links are stored, so that neighbours are found together. */
const rowsOf = (tallies: ReadonlyMap<number, LinkTally>) =>
  [...tallies].map(([no, { clicks, lastAtMs }]) => [no, clicks, lastAtMs] as const).sort(([a], [b]) => a - b);
