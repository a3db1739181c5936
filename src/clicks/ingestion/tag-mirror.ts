import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import { findNewestChange, findNextChanges } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { readAllTags, readTagsOfChanged } from "./link-tags.store.ts";

interface Options {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "linkTagsPosition" | "setLinkTags" | "replaceLinkTags">;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
  readonly lease?: Lease;
}

const INTERVAL_MS = 500;
// What is read at once holds the event loop for a few milliseconds at most.
const CHANGES = 500;

/**
 * Brings the tags of links into the clicks engine, for reports by tag. The change log names every link that is made or
 * changed; the tags of each are read again and stored together with the position in the log.
 */
export function startTagMirror({
  records,
  clicks,
  onProblem,
  intervalMs = INTERVAL_MS,
  lease = alwaysHeld,
}: Options): Loop {
  let position: number | null = null;

  const follow = async (stopping: AbortSignal): Promise<boolean> => {
    if (!lease.isHeld()) {
      // The next holder may get ahead of what is known here.
      position = null;
      return false;
    }
    // Where no link was ever made the engine need not even be opened.
    if (position === null && (await findNewestChange(records.read)) === 0) return false;
    position ??= await clicks.linkTagsPosition();
    const changes = await findNextChanges(records.read, position, CHANGES);
    if (changes === null) return false;
    if (changes === "gap") {
      // Whatever changes from here on is followed afterwards, so the reading need not be of one moment.
      const newest = await findNewestChange(records.read);
      await clicks.replaceLinkTags(readAllTags(records.scan, stopping), newest);
      position = newest;
      return true;
    }
    await clicks.setLinkTags(await readTagsOfChanged(records.read, changes), changes.upTo);
    position = changes.upTo;
    return changes.upTo - changes.after === CHANGES;
  };

  return startLoop({
    run: follow,
    intervalMs,
    onFailure(error) {
      // The engine knows best whether it stored what failed.
      position = null;
      onProblem("reports by tag lag behind the tags of links", error);
    },
  });
}
