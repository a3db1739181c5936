import { sql } from "kysely";
import type { Records } from "#engines/records/records.ts";
import { statement } from "#engines/records/statement.ts";
import { type LinkTally, tallyClicks } from "./click-tally.ts";
import type { JournalConsumer } from "./journal-consumer.ts";

const savePosition = statement((db, { segment, position }: { segment: string; position: number }) =>
  db
    .insertInto("click_positions")
    .values({ segment, position })
    .onConflict((on) => on.column("segment").doUpdateSet({ position })),
);

/** Counts clicks on the links themselves, for lists that are sorted by them. */
export function counterConsumer(records: Records): JournalConsumer {
  return {
    name: "link_counts",

    async positionOf(segment) {
      const query = records.read.selectFrom("click_positions").select("position").where("segment", "=", segment);
      return (await query.executeTakeFirst())?.position ?? 0;
    },

    async consume(slices) {
      const tallies = new Map<number, LinkTally>();
      for (const { payload } of slices) tallyClicks(payload, tallies);
      const added = records.table(["no", "clicks", "last_at"], rowsOf(tallies));
      const ends = new Map(slices.map(({ segment, toOffset }) => [segment, toOffset]));
      await records.write(async (tx) => {
        // Clicks on links that were deleted meanwhile meet no row.
        await sql`update links set click_count = click_count + added.clicks, last_clicked_at =
          case when last_clicked_at < added.last_at then added.last_at else last_clicked_at end
          from ${added} as added where links.no = added.no`.execute(tx);
        for (const [segment, position] of ends) await savePosition(tx, { segment, position });
      });
    },

    async forget(segments) {
      await records.write((tx) => tx.deleteFrom("click_positions").where("segment", "in", segments).execute());
    },
  };
}

/** In the order in which links are stored, so that neighbours are found together. */
const rowsOf = (tallies: ReadonlyMap<number, LinkTally>) =>
  [...tallies].map(([no, { clicks, lastAtMs }]) => [no, clicks, lastAtMs] as const).sort(([a], [b]) => a - b);
