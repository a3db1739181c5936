import { existsSync } from "node:fs";
import { type ClicksEngine, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { sumCounts } from "./ingestion.store.ts";

// One that takes longer mustn't hold up the other consumers.
const SERVER_MS_MAX = 2000;

/** Called before clicks are taken from the journal; throws while the clicks belong to another installation. */
export function ownClicksGuard(
  clicks: Pick<ClicksEngine, "checkpoint">,
  { isOnServer }: { readonly isOnServer: boolean },
): () => Promise<void> {
  let isOwn = false;
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    try {
      // Any question that doesn't wait for a migration.
      await clicks.checkpoint("");
      isOwn = true;
    } catch (error) {
      // Clicks that can't be read only affect reports; their consumer retries.
      if (error instanceof ForeignClicks) throw error;
    } finally {
      asking = null;
    }
  };
  return async () => {
    if (isOwn) return;
    asking ??= ask();
    const answer = asking;
    // Awaited below or, if it is late, next time.
    answer.catch(() => {});
    await (isOnServer ? Promise.race([answer, Bun.sleep(SERVER_MS_MAX)]) : answer);
  };
}

/** How many clicks links have counted that no report can show because the clicks file is missing; `null` for a server. */
export const countMissingClicks = async (records: Pick<Records, "scan">, file: string | null): Promise<number> =>
  file === null || existsSync(file) ? 0 : sumCounts(records.scan);
