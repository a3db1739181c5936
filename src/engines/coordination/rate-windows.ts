export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time until enough accepted requests have left the window for another one, or for as many as were refused. */
  readonly freesInMs: number;
}

/** Exact sliding windows: never more than `limit` accepted requests in any `windowMs`, per key. */
export interface RateWindows {
  /** One request, or as many at once as `cost` says: all or none of them are accepted. */
  take(key: string, limit: number, cost?: number): Promise<RateDecision>;
}

interface Log {
  times: number[];
  /** Index of the first entry of `times` still in the window; earlier ones are trimmed occasionally. */
  first: number;
}

const TRIM_AT = 256;

export function localRateWindows(windowMs: number, now: () => number = () => performance.now()): RateWindows {
  const logs = new Map<string, Log>();
  let sweptAt = now();

  const sweep = (at: number): void => {
    if (at - sweptAt < windowMs) return;
    sweptAt = at;
    for (const [key, log] of logs) if ((log.times.at(-1) ?? 0) < at - windowMs) logs.delete(key);
  };

  return {
    async take(key, limit, cost = 1) {
      const at = now();
      sweep(at);
      let log = logs.get(key);
      if (!log) {
        log = { times: [], first: 0 };
        logs.set(key, log);
      }
      // Strictly older than the window, so even an interval that includes both ends stays within the limit.
      while ((log.times[log.first] ?? Number.POSITIVE_INFINITY) < at - windowMs) log.first += 1;
      if (log.first > TRIM_AT) {
        log.times = log.times.slice(log.first);
        log.first = 0;
      }
      const used = log.times.length - log.first;
      const allowed = used + cost <= limit;
      // Rejected requests don't count, so a client that keeps hammering still recovers.
      if (allowed) for (let taken = 0; taken < cost; taken += 1) log.times.push(at);
      // If the limit was lowered, more than the oldest one has to leave first.
      const needed = allowed ? 1 : cost;
      const oldest = log.times[Math.max(log.first, log.times.length - limit + needed - 1)] ?? at;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used - (allowed ? cost : 0)),
        freesInMs: Math.max(0, oldest + windowMs - at),
      };
    },
  };
}
