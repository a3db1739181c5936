import { backoffMs } from "./backoff.ts";

interface Options {
  /** Returns whether there is more to do right away. A long run should end early when `stopping` aborts. */
  readonly run: (stopping: AbortSignal) => Promise<boolean>;
  /** From the start of one run to the start of the next, unless there is more to do. */
  readonly intervalMs: number;
  /** A longer interval that the last run asks for. */
  readonly longerMs?: () => number;
  /** The pause before the first run. */
  readonly firstMs?: number;
  /** The pause after a failure is `intervalMs`, doubled with every further failure in a row up to this. */
  readonly retryMsMax?: number;
  readonly onFailure: (error: unknown) => void;
}

export interface Loop {
  /** Resolves when the current run has ended; there is no other after it. */
  stop(): Promise<void>;
}

interface WakeableLoop extends Loop {
  /** Starts the next run at once, or right after the current one. */
  wake(): void;
}

/** Runs something again and again, one run at a time. */
export function startLoop({
  run,
  intervalMs,
  longerMs = () => intervalMs,
  firstMs = 0,
  retryMsMax = intervalMs,
  onFailure,
}: Options): WakeableLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
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

  /** Returns how long to pause afterwards. */
  const runOnce = async (): Promise<number> => {
    const startedMs = performance.now();
    try {
      const hasMore = await run(signal);
      failures = 0;
      return hasMore ? 0 : Math.max(0, startedMs + longerMs() - performance.now());
    } catch (error) {
      // A run that fails because of the stop is made up for after the next start.
      if (!signal.aborted) onFailure(error);
      failures += 1;
      return backoffMs(failures, intervalMs, retryMsMax);
    }
  };

  const runAll = async (): Promise<void> => {
    if (firstMs > 0) await pause(firstMs);
    while (!signal.aborted) {
      // The run that starts now serves every wake-up so far.
      isWoken = false;
      const pauseMs = await runOnce();
      if (!signal.aborted && !isWoken) await pause(pauseMs);
    }
  };
  const running = runAll();
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
