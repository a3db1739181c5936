import { existsSync } from "node:fs";
import { type ClicksEngine, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { sumCounts } from "./ingestion.store.ts";

/** Called before clicks are taken from the journal; throws while the clicks file belongs to another installation. */
export function ownClicksGuard(clicks: Pick<ClicksEngine, "checkpoint">): () => Promise<void> {
  let isOwn = false;
  return async () => {
    if (isOwn) return;
    try {
      // Any question that doesn't wait for a migration.
      await clicks.checkpoint("");
      isOwn = true;
    } catch (error) {
      // A file that cannot be read only affects reports; its consumer retries.
      if (error instanceof ForeignClicks) throw error;
    }
  };
}

/** How many clicks links have counted that no report can show because the clicks file is missing; `null` for a server. */
export const countMissingClicks = async (records: Pick<Records, "scan">, file: string | null): Promise<number> =>
  file === null || existsSync(file) ? 0 : sumCounts(records.scan);
