import type { TimeRange } from "../../clicks-engine.ts";
import { SLOTS_PER_DAY, slotOf } from "../../slots.ts";
import { intList } from "../session.ts";

interface BucketSlots {
  readonly bucket: number;
  readonly first: number;
  readonly until: number;
  /** The UTC day in which the bucket starts, and the bucket's position within that day. */
  readonly day: number;
  readonly piece: number;
}

/** The buckets as slots, limited to the part of the range with clicks to keep the tables below small. */
function cutBuckets(starts: readonly number[], { fromMs, toMs }: TimeRange): BucketSlots[] {
  const [firstSlot, endSlot] = [slotOf(fromMs), slotOf(toMs - 1) + 1];
  const cut: BucketSlots[] = [];
  for (const [bucket, startMs] of starts.entries()) {
    const next = starts[bucket + 1];
    const first = Math.max(slotOf(startMs), firstSlot);
    const end = Math.min(next === undefined ? endSlot : slotOf(next), endSlot);
    if (first >= end) continue;
    const day = Math.floor(first / SLOTS_PER_DAY);
    let piece = 0;
    while ((cut.at(-1 - piece)?.until ?? 0) > day * SLOTS_PER_DAY) piece += 1;
    cut.push({ bucket, first, until: end, day, piece });
  }
  return cut;
}

/**
 * A table `slots` with each slot's bucket, that bucket's first slot, and a bit. The bits distinguish buckets that share
 * a UTC day, so one number can represent all buckets a visitor was seen in.
 */
export function slotsTable(starts: readonly number[], span: TimeRange): string {
  const cut = cutBuckets(starts, span);
  const column = (field: keyof BucketSlots) => `unnest(${intList(cut.map((bucket) => bucket[field]))}) as ${field}`;
  return `
    buckets as (
      select ${column("bucket")}, ${column("first")}, ${column("until")}, ${column("day")},
        ${column("piece")}
    ),
    slots as (
      select slot, (slot // ${SLOTS_PER_DAY})::integer as day, bucket, first as bucket_slot,
        1::uinteger << (case when slot // ${SLOTS_PER_DAY} = day then piece else 0 end)::uinteger as bit
      from (select unnest(range(first, until)) as slot, bucket, first, day, piece from buckets)
    )`;
}
