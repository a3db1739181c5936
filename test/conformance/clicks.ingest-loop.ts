import { join } from "node:path";
import fc from "fast-check";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import { partOf } from "./clicks.oracle.ts";

/** The number of clicks in the batch that advances the checkpoint to `offset`. */
export const clicksOfBatch = (offset: number): number => 50 + ((offset * 37) % 400);

export const SEGMENT = "node-0-1-0";

/** Ingests batch after batch from the checkpoint on, each twice, until the process is killed. */
async function ingestForEver(directory: string): Promise<void> {
  const engine = openDuckDbClicks({
    path: join(directory, CLICKS_FILE),
    batchDirectory: directory,
    checkpointMb: 1,
    checkpointRows: 3000,
  });
  const clicks = fc.sample(anyClick, { numRuns: 450, seed: 1 });
  for (let offset = (await engine.checkpoint(SEGMENT)) + 1; ; offset += 1) {
    const batch = { parts: [partOf(clicks.slice(0, clicksOfBatch(offset)), SEGMENT, offset)] };
    await Promise.all([engine.ingest(batch), engine.ingest(batch)]);
    if (offset % 10 === 0) await engine.summarise(FIRST_MS + 3 * 86_400_000);
    process.stdout.write(`${offset}\n`);
  }
}

if (import.meta.main) await ingestForEver(process.argv[2] ?? "");
