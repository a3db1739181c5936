import type { DoublingWait, FailureLimit, FailureLimits, FailureWindow } from "./failure-limits.ts";

const KEPT_MAX = 20_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

/** Failed attempts in memory: a bounded number of each key, and the latest keys of each group. */
export function localFailureLimits(now: () => number = () => performance.now()): FailureLimits {
  const waits = new Groups<Failures>();
  const windows = new Groups<readonly number[]>();

  const failuresOf = (limit: DoublingWait, at: number): Failures => {
    const known = waits.of(limit).get(limit.key);
    return known && known.lastAt > at - limit.forgottenAfterMs ? known : { count: 0, lastAt: at };
  };

  const waitOf = (limit: FailureLimit, at: number): number =>
    limit.kind === "doubling"
      ? doublingWaitMs(limit, failuresOf(limit, at), at)
      : windowWaitMs(limit, timesOf(limit), at);

  const timesOf = (limit: FailureWindow): readonly number[] => windows.of(limit).get(limit.key) ?? [];

  const add = (limit: FailureLimit, at: number): void => {
    if (limit.kind === "doubling") {
      waits.of(limit).set(limit.key, { count: failuresOf(limit, at).count + 1, lastAt: at });
    } else {
      // Older ones no longer matter.
      windows.of(limit).set(limit.key, [...timesOf(limit).slice(1 - limit.limit), at]);
    }
  };

  const succeed = (limit: FailureLimit, at: number): void => {
    if (limit.kind === "doubling") {
      waits.of(limit).delete(limit.key);
      return;
    }
    const times = timesOf(limit);
    const index = times.indexOf(at);
    if (index >= 0) windows.of(limit).replace(limit.key, times.toSpliced(index, 1));
  };

  return {
    async begin(limits) {
      const at = now();
      for (const limit of limits) {
        const waitMs = waitOf(limit, at);
        if (waitMs > 0) return { waitMs, limit };
      }
      for (const limit of limits) add(limit, at);
      return {
        waitMs: 0,
        async succeed() {
          for (const limit of limits) succeed(limit, at);
        },
      };
    },
  };
}

function doublingWaitMs({ free, waitMsMax }: DoublingWait, { count, lastAt }: Failures, at: number): number {
  return count < free ? 0 : Math.max(0, lastAt + Math.min(waitMsMax, 1000 * 2 ** (count - free)) - at);
}

function windowWaitMs({ limit, windowMs, waitMs }: FailureWindow, times: readonly number[], at: number): number {
  const oldest = times.at(-limit);
  if (oldest === undefined || oldest < at - windowMs) return 0;
  return waitMs === undefined ? oldest + windowMs - at : Math.max(0, (times.at(-1) ?? at) + waitMs - at);
}

class Groups<V> {
  readonly #groups = new Map<string, LatestKeys<V>>();

  of({ group }: FailureLimit): LatestKeys<V> {
    const known = this.#groups.get(group);
    if (known) return known;
    const created = new LatestKeys<V>();
    this.#groups.set(group, created);
    return created;
  }
}

/** A map that evicts the least recently set key. */
class LatestKeys<V> {
  readonly #values = new Map<string, V>();

  get = (key: string): V | undefined => this.#values.get(key);

  set(key: string, value: V): void {
    this.#values.delete(key);
    if (this.#values.size >= KEPT_MAX) this.#values.delete(this.#values.keys().next().value ?? key);
    this.#values.set(key, value);
  }

  /** Without making the key a recent one. */
  replace(key: string, value: V): void {
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
