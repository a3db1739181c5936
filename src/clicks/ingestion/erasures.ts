import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { Pausable } from "./pausable.ts";

interface Options {
  readonly records: Records;
  readonly clicks: ClicksEngine;
  readonly onProblem: (message: string, error: unknown) => void;
}

const INTERVAL_MS = 1000;
const BATCH = 500;

export interface Erasures {
  /** From when it resolves until the function it returns is called, no click is erased. */
  pause(): Promise<() => void>;
  stop(): Promise<void>;
}

/** Erases the clicks of deleted links. What is to be erased was noted with the deletion, so no crash forgets it. */
export function startErasures({ records, clicks, onProblem }: Options): Erasures {
  const turns = new Pausable();
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;

  const turn = async (): Promise<void> => {
    const rows = await records.read.selectFrom("click_erasures").selectAll().limit(BATCH).execute();
    if (rows.length === 0) return;
    await clicks.eraseLinks(rows.map(({ account_no, link_no }) => ({ accountNo: account_no, linkNo: link_no })));
    const numbers = rows.map(({ link_no }) => link_no);
    await records.write((tx) => tx.deleteFrom("click_erasures").where("link_no", "in", numbers).execute());
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      await turns.run(turn).catch((error: unknown) => onProblem("clicks of deleted links wait to be erased", error));
      await Promise.race([Bun.sleep(INTERVAL_MS), stopped.promise]);
    }
  };
  const running = run();
  return {
    pause: () => turns.pause(),
    stop() {
      isStopping = true;
      stopped.resolve();
      return running;
    },
  };
}
