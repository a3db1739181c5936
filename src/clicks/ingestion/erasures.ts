import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import type { Records } from "#engines/records/records.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { Pausable } from "#kernel/pausable.ts";
import { deleteErasures, listErasures } from "./ingestion.store.ts";

interface Options {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "eraseLinks">;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

const INTERVAL_MS = 1000;
const BATCH = 500;

export interface Erasures extends Loop {
  /** From when it resolves until the function it returns is called, no click is erased. */
  pause(): Promise<() => void>;
}

/** Erases the clicks of deleted links. What is to be erased was noted with the deletion, so no crash forgets it. */
export function startErasures({ records, clicks, onProblem, lease = alwaysHeld }: Options): Erasures {
  const erasing = new Pausable();
  const erase = async (): Promise<boolean> => {
    if (!lease.isHeld()) return false;
    const links = await listErasures(records.read, BATCH);
    if (links.length === 0) return false;
    await clicks.eraseLinks(links);
    const numbers = links.map(({ linkNo }) => linkNo);
    await records.write((tx) => deleteErasures(tx, numbers));
    return links.length === BATCH;
  };
  const loop = startLoop({
    intervalMs: INTERVAL_MS,
    run: async () => (await erasing.run(erase)) ?? false,
    onFailure: (error) => onProblem("clicks of deleted links wait to be erased", error),
  });
  return { pause: () => erasing.pause(), stop: loop.stop };
}
