import { mkdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import type { JournalConsumer } from "./journal-consumer.ts";

/** Stores clicks in the engine that reports are made from. */
export function engineConsumer(clicks: ClicksEngine, batchDirectory: string): JournalConsumer {
  mkdirSync(batchDirectory, { recursive: true, mode: 0o700 });
  const file = join(batchDirectory, "batch.tsv");
  return {
    name: "reports",
    linesMax: clicks.batchClicksMax,
    positionOf: (segment) => clicks.checkpoint(segment),

    async consume(slices) {
      // The engine reads text files by itself, which is several times cheaper than handing it values.
      const batch = await open(file, "w", 0o600);
      try {
        // Unlike `write`, it fails where the disk takes a part only: the rest would count as stored.
        for (const { payload } of slices) await batch.appendFile(payload);
      } finally {
        await batch.close();
      }
      const ends = new Map(slices.map(({ segment, toOffset }) => [segment, toOffset]));
      await clicks.ingest({ file, checkpoints: [...ends].map(([segment, offset]) => ({ segment, offset })) });
      await rm(file, { force: true });
    },

    forgetAllBut: (segments) => clicks.forgetCheckpointsBut(segments),
  };
}
