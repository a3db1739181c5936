import { type ClickBatch, checkpointsOf, type Ingested } from "../clicks-engine.ts";
import type { BatchLog } from "./batches.ts";
import type { ErasedNumbers } from "./erased.ts";
import { eraseFromBatch } from "./erasure.ts";
import { encodeRows, findLinks, rowColumns } from "./rows.ts";
import type { ClickHouseSession } from "./session.ts";

interface Options {
  readonly node: string;
  readonly log: BatchLog;
  readonly erased: ErasedNumbers;
  readonly timeoutMs: number;
}

/** Call for one batch at a time. */
export async function ingestBatch(
  session: ClickHouseSession,
  batch: ClickBatch,
  { node, log, erased, timeoutMs }: Options,
): Promise<Ingested> {
  await log.settle();
  const checkpoints = checkpointsOf(batch);
  if (checkpoints.length === 0) throw new Error("a batch without a checkpoint could be counted twice");
  const positions = await log.positions();
  const known = checkpoints.filter(({ segment, offset }) => (positions.get(segment) ?? -1) >= offset);
  if (known.length === checkpoints.length) return { clicks: 0 };
  if (known.length > 0) throw new Error("the batch overlaps a stored one; create it again from the checkpoints");
  const look = await erased.look(() => findLinks(batch.parts));
  const number = log.nextNumber();
  const { bytes, rows } = await encodeRows(batch.parts, { node, batch: number, isErased: look.isErased });
  await log.store(number, checkpoints, async () => {
    if (rows === 0) return;
    await session.insert(`insert into clicks (${rowColumns.join(", ")}) format RowBinary`, bytes, {
      settings: {
        // For the same request arriving twice, as some proxies send it.
        insert_deduplication_token: `${node}:${number}`,
        // Clicks of a long outage, or moved from another engine, may be of any number of days.
        max_partitions_per_insert_block: "0",
      },
      timeoutMs,
    });
    // Another node may have erased links meanwhile, before these rows were there to be deleted.
    const added = await look.findAdded();
    if (added.length > 0) await eraseFromBatch(session, { node, number }, added);
  });
  return { clicks: rows };
}
