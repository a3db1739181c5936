import { nextResetMs } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { systemClock } from "#kernel/clock.ts";

/** The next generation is made in time, since the reset itself is to be on time. */
const LEAD_MS_MAX = 60_000;

export interface Wishes {
  /** Aborts when there is one. */
  readonly next: AbortSignal;
  fulfil(): void;
}

/** The operator may have the demo start anew at any time; wishes that come while it does are one more. */
export function listenForWishes(): Wishes {
  let wish = new AbortController();
  process.on("SIGUSR2", () => wish.abort());
  return {
    get next() {
      return wish.signal;
    },
    fulfil() {
      wish = new AbortController();
    },
  };
}

interface Waiting {
  /** The time of the reset before. */
  readonly lastMs: number;
  readonly wishes: Wishes;
  readonly signal: AbortSignal;
}

/** Until it is time to make the next generation, or somebody wants one at once; returns the time of its reset. */
export async function waitForReset(
  config: Pick<Config, "demoResetMinutes">,
  { lastMs, wishes, signal }: Waiting,
): Promise<number> {
  const resetMs = nextResetMs(Math.max(lastMs, systemClock()), config);
  const leadMs = Math.min(LEAD_MS_MAX, (config.demoResetMinutes * 60_000) / 2);
  await pauseUntil(resetMs - leadMs, AbortSignal.any([signal, wishes.next]));
  if (!wishes.next.aborted) return resetMs;
  wishes.fulfil();
  return systemClock();
}

/** Timers reach 24 days, and no reset is further away than one. */
export async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  const pause = Promise.withResolvers<void>();
  if (signal.aborted) return;
  const timer = setTimeout(pause.resolve, Math.max(0, ms - systemClock()));
  const end = (): void => pause.resolve();
  signal.addEventListener("abort", end);
  await pause.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
