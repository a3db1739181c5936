import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import type { JournalConsumer } from "./journal-consumer.ts";

/** Stores clicks in the engine that reports are made from. */
export const engineConsumer = (clicks: ClicksEngine): JournalConsumer => ({
  name: "reports",
  linesMax: clicks.batchClicksMax,
  settle: () => clicks.whenMigrated(),
  positionOf: (segment) => clicks.checkpoint(segment),

  async consume(slices) {
    const parts = slices.map(({ payload, lines, ...part }) => ({ ...part, lines: payload, count: lines }));
    await clicks.ingest({ parts });
  },

  forgetAllBut: (segments) => clicks.forgetCheckpointsBut(segments),
});
