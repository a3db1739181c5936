// A click is in reports at most two seconds after the visitor was sent on; more often than this would not be calm.
const REFRESH_MS = 3000;
const LAG_MS = 2000;
const REST_FACTOR = 10;

interface Timers {
  readonly now: () => number;
  /** Calls it later, unless what it returns is called before. */
  readonly later: (work: () => void, ms: number) => () => void;
}

const pageTimers: Timers = {
  now: () => performance.now(),
  later(work, ms) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export interface CalmRefresh {
  /** There is news that the report doesn't show yet. */
  readonly soon: () => void;
  readonly stop: () => void;
}

/** Loads a report again for what has happened: not for every click, but never without the last one. */
export function calmRefresh(load: () => Promise<void>, { now, later }: Timers = pageTimers): CalmRefresh {
  let newsMs = Number.NEGATIVE_INFINITY;
  let notBeforeMs = 0;
  let isStopped = false;
  let cancel: (() => void) | undefined;

  const plan = (): void => {
    if (isStopped) return;
    cancel ??= later(() => void refresh(), Math.max(REFRESH_MS, notBeforeMs - now()));
  };
  const refresh = async (): Promise<void> => {
    const startedMs = now();
    await load();
    // A report that takes long is asked for less often, so that watching it costs the server little.
    notBeforeMs = now() + (now() - startedMs) * REST_FACTOR;
    cancel = undefined;
    // What came at the last moment, or while it was being loaded, may not be in it.
    if (newsMs > startedMs - LAG_MS) plan();
  };
  return {
    soon() {
      newsMs = now();
      plan();
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
