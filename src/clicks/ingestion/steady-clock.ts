import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Clock } from "#kernel/clock.ts";

/** `steady`: for a day at least. `new`: not watched for that long. `jumped`: within the last day. */
export type Steadiness = "steady" | "new" | "jumped";

/** Whether the time may be acted upon where that cannot be taken back. */
export interface SteadyClock {
  /** To be asked again within a day: a longer gap cannot be told from a jump. */
  look(): Steadiness;
}

interface Options {
  /** Where the last time seen is kept, for the next start. */
  readonly path: string;
  readonly clock: Clock;
  readonly onJump: (seenMs: number, nowMs: number) => void;
}

interface Notes {
  readonly seenMs: number;
  readonly steadySinceMs: number;
  /** Whether it was watched before, and jumped then. */
  readonly hasJumped?: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A clock that has run for a day without a jump is trusted. One that has just gone ahead by more than a day, or back by
 * more than an hour, is not: most such jumps are mistakes, which are set right within hours. A server that was off for
 * long waits for a day as well, which costs nothing.
 */
export function openSteadyClock({ path, clock, onJump }: Options): SteadyClock {
  let notes = findNotes(path);
  return {
    look() {
      const nowMs = clock();
      const gapMs = notes === null ? null : nowMs - notes.seenMs;
      const isJump = gapMs !== null && (gapMs > DAY_MS || gapMs < -HOUR_MS);
      if (isJump) onJump(notes?.seenMs ?? nowMs, nowMs);
      const steadySinceMs = notes === null || isJump ? nowMs : notes.steadySinceMs;
      const hasJumped = isJump || notes?.hasJumped === true;
      notes = { seenMs: nowMs, steadySinceMs, hasJumped };
      const draft = `${path}.draft`;
      writeFileSync(draft, `${JSON.stringify(notes)}\n`, { mode: 0o600 });
      renameSync(draft, path);
      if (nowMs - steadySinceMs >= DAY_MS) return "steady";
      return hasJumped ? "jumped" : "new";
    },
  };
}

/** A file that is missing or damaged says nothing. */
function findNotes(path: string): Notes | null {
  try {
    const notes = JSON.parse(readFileSync(path, "utf8")) as Notes;
    return Number.isFinite(notes.seenMs) && Number.isFinite(notes.steadySinceMs) ? notes : null;
  } catch {
    return null;
  }
}
