import type { Records } from "#engines/records/records.ts";
import { statement } from "#engines/records/statement.ts";
import { type LinkTally, tallyClicks } from "./click-tally.ts";
import type { JournalConsumer } from "./journal-consumer.ts";

interface Counted extends LinkTally {
  readonly linkNo: number;
}

const addClicks = statement((sql, { linkNo, clicks, lastAtMs }: Counted) =>
  sql
    .updateTable("links")
    .set((eb) => ({
      click_count: eb("click_count", "+", clicks),
      last_clicked_at: eb
        .case()
        .when("last_clicked_at", "<", lastAtMs)
        .then(eb.val(lastAtMs))
        .else(eb.ref("last_clicked_at"))
        .end(),
    }))
    .where("no", "=", linkNo),
);

const savePosition = statement((sql, { segment, position }: { segment: string; position: number }) =>
  sql
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
      await records.write(async (tx) => {
        // Clicks on links that were deleted meanwhile meet no row.
        for (const [linkNo, tally] of tallies) await addClicks(tx, { linkNo, ...tally });
        for (const { segment, toOffset } of slices) await savePosition(tx, { segment, position: toOffset });
      });
    },

    async forget(segments) {
      await records.write((tx) => tx.deleteFrom("click_positions").where("segment", "in", segments).execute());
    },
  };
}
