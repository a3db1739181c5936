interface Options {
  /** Tells whether there is more to do at once. A long one gives up when `stopping` says so. */
  readonly turn: (stopping: AbortSignal) => Promise<boolean>;
  /** From the start of a turn that found nothing more to that of the next, and the pause after one that failed. */
  readonly intervalMs: number;
  /** The pause before the first turn. */
  readonly firstMs?: number;
  readonly onFailure: (error: unknown) => void;
}

export interface Turns {
  /** Ends after the turn under way. */
  stop(): Promise<void>;
}

interface WakeableTurns extends Turns {
  /** Has the next turn begin at once, or right after the one under way. */
  wake(): void;
}

/** Does something again and again, one turn at a time. */
export function startTurns({ turn, intervalMs, firstMs = 0, onFailure }: Options): WakeableTurns {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWoken = false;
  let endPause = (): void => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    if (firstMs > 0) await pause(firstMs);
    while (!signal.aborted) {
      const startedMs = performance.now();
      const pauseMs = await turn(signal).then(
        (hasMore) => (hasMore ? 0 : Math.max(0, startedMs + intervalMs - performance.now())),
        (error: unknown) => {
          // What was broken off by the end is taken up at the next start.
          if (!signal.aborted) onFailure(error);
          return intervalMs;
        },
      );
      if (!signal.aborted && !isWoken) await pause(pauseMs);
      isWoken = false;
    }
  };
  const running = run();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    stop() {
      stopping.abort();
      endPause();
      return running;
    },
  };
}
