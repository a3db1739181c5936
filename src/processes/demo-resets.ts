import { systemClock } from "#kernel/clock.ts";

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

/** Waits until then, or until somebody wants the demo to start anew at once; tells whether somebody did. */
export async function isWishedBefore(ms: number, wishes: Wishes, signal: AbortSignal): Promise<boolean> {
  await pauseUntil(ms, AbortSignal.any([signal, wishes.next]));
  const isWished = wishes.next.aborted;
  if (isWished) wishes.fulfil();
  return isWished;
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
