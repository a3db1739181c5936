export interface QueueLimits {
  readonly waitingMax: number;
  /** Without it, callers wait as long as it takes. */
  readonly waitMsMax?: number;
  /** The error for a caller that finds the queue full or has waited too long. */
  readonly refusal: () => Error;
}

/** Runs the work when there is room. A caller whose signal aborts while it waits gets the signal's reason. */
export type Gate = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Lets `runningMax` pieces of work run at a time; the others wait in the order they came. */
export function gate(runningMax: number, queue?: QueueLimits): Gate {
  const waiting = new Set<() => void>();
  let running = 0;

  const wait = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        stopWatching();
        waiting.delete(enter);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const timer =
        queue?.waitMsMax === undefined ? undefined : setTimeout(() => giveUp(queue.refusal()), queue.waitMsMax);
      const stopWatching = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const enter = (): void => {
        stopWatching();
        resolve();
      };
      signal?.addEventListener("abort", onAbort);
      waiting.add(enter);
    });

  /** Hands the place to the next in line without freeing it, so that no newcomer gets in first. */
  const leave = (): void => {
    const [enter] = waiting;
    if (!enter) {
      running -= 1;
      return;
    }
    waiting.delete(enter);
    enter();
  };

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < runningMax) running += 1;
    else if (queue && waiting.size >= queue.waitingMax) throw queue.refusal();
    else await wait(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
