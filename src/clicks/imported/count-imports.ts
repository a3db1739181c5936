import { addInTurns, COUNT_QUEUE } from "#clicks/ingestion/counter-consumer.ts";
import { type CountRow, findPosition, IMPORT_PREFIX, savePosition } from "#clicks/ingestion/ingestion.store.ts";
import type { CountBatch } from "#engines/clicks/click-counts.ts";
import type { ClicksEngine, Ingested } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";

interface Options {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "storeCounts" | "lastCountBatch">;
}

/** Adds clicks that another service has counted to reports, and to the links' own counts. */
export function countImports({ records, clicks }: Options) {
  return {
    /**
     * Each of the two remembers how far the import has come, in the transaction of the batch: whatever interrupts it, the
     * same batch can be stored again. About 20,000 counts at a time bound the memory it takes.
     */
    async store(batch: CountBatch): Promise<Ingested> {
      const ingested = await clicks.storeCounts(batch);
      const rows = tally(batch);
      const segment = segmentOf(batch.accountNo, batch.importId);
      await records.write(async (tx) => {
        if (((await findPosition(tx, segment)) ?? 0) >= batch.no) return;
        await addInTurns(tx, rows);
        await savePosition(tx, { segment, position: batch.no });
      }, COUNT_QUEUE);
      return ingested;
    },

    /** The last batch of an import that both have stored; 0 before the first. */
    async lastBatch(accountNo: number, importId: string): Promise<number> {
      const counted = (await findPosition(records.read, segmentOf(accountNo, importId))) ?? 0;
      return Math.min(counted, await clicks.lastCountBatch(accountNo, importId));
    },
  };
}
export type CountImports = ReturnType<typeof countImports>;

const segmentOf = (accountNo: number, importId: string): string => `${IMPORT_PREFIX}${accountNo}/${importId}`;

/** Clicks by people, in the first cut alone: the others count them again. */
function tally({ counts }: CountBatch): CountRow[] {
  const rows = new Map<number, CountRow>();
  for (const { link_no: no, at_ms, bot, cut, clicks } of counts) {
    if (bot || cut.earlier !== 0) continue;
    const before = rows.get(no);
    rows.set(no, { no, clicks: (before?.clicks ?? 0) + clicks, lastAt: Math.max(before?.lastAt ?? 0, at_ms) });
  }
  return [...rows.values()].sort((a, b) => a.no - b.no);
}
