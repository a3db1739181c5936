import { systemClock } from "#kernel/clock.ts";

export interface ResetRequests {
  /** Aborted by the next request. */
  readonly next: AbortSignal;
  acknowledge(): void;
}

/** SIGUSR2 resets the demo at any time; all signals during a reset together cause one more. */
export function listenForResetRequests(): ResetRequests {
  let request = new AbortController();
  process.on("SIGUSR2", () => request.abort());
  return {
    get next() {
      return request.signal;
    },
    acknowledge() {
      request = new AbortController();
    },
  };
}

/** Waits until then, or for a request to reset the demo at once. Returns whether there was one. */
export async function isResetRequestedBefore(
  ms: number,
  requests: ResetRequests,
  signal: AbortSignal,
): Promise<boolean> {
  await pauseUntil(ms, AbortSignal.any([signal, requests.next]));
  const isRequested = requests.next.aborted;
  if (isRequested) requests.acknowledge();
  return isRequested;
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
