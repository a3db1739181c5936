export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the oldest accepted request leaves the window and one more place is free. */
  readonly freesInMs: number;
}

/** Exact sliding windows: never more than `limit` accepted requests in any `windowMs`, per key. */
export interface RateWindows {
  take(key: string, limit: number): RateDecision;
}

interface Log {
  times: number[];
  /** Where the live part of `times` starts; the rest is cut off now and then. */
  first: number;
}

const CUT_AT = 256;

export function localRateWindows(windowMs: number, now: () => number = () => performance.now()): RateWindows {
  const logs = new Map<string, Log>();
  let sweptAt = now();

  const sweep = (at: number): void => {
    if (at - sweptAt < windowMs) return;
    sweptAt = at;
    for (const [key, log] of logs) if ((log.times.at(-1) ?? 0) < at - windowMs) logs.delete(key);
  };

  return {
    take(key, limit) {
      const at = now();
      sweep(at);
      let log = logs.get(key);
      if (!log) {
        log = { times: [], first: 0 };
        logs.set(key, log);
      }
      // Strictly older than the window: an interval that includes both its ends holds no more than the limit either.
      while ((log.times[log.first] ?? Number.POSITIVE_INFINITY) < at - windowMs) log.first += 1;
      if (log.first > CUT_AT) {
        log.times = log.times.slice(log.first);
        log.first = 0;
      }
      const used = log.times.length - log.first;
      const allowed = used < limit;
      // A refused request is not entered, so that a client that hammers on recovers all the same.
      if (allowed) log.times.push(at);
      const oldest = log.times[log.first] ?? at;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used - (allowed ? 1 : 0)),
        freesInMs: Math.max(0, oldest + windowMs - at),
      };
    },
  };
}
