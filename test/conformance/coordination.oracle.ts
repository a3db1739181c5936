import type { FailureLimit } from "#engines/coordination/failure-limits.ts";
import type { RateDecision } from "#engines/coordination/rate-windows.ts";

/** Slow and obvious: keeps everything for ever, and counts anew each time. */
export class WindowOracle {
  readonly #accepted = new Map<string, number[]>();
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  take(key: string, limit: number, at: number, cost: number): RateDecision {
    const all = this.#accepted.get(key) ?? [];
    const recent = all.filter((time) => time >= at - this.#windowMs);
    const allowed = recent.length + cost <= limit;
    const added = allowed ? Array<number>(cost).fill(at) : [];
    const counted = [...recent, ...added];
    this.#accepted.set(key, [...all, ...added]);
    // Another one is allowed once only `limit - 1` of them are left, and those that were refused once there is room.
    const left = limit - (allowed ? 1 : cost);
    const first = counted[Math.max(0, counted.length - left - 1)] ?? at;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - counted.length),
      freesInMs: first + this.#windowMs - at,
    };
  }
}

interface Attempt {
  readonly at: number;
  hasSucceeded: boolean;
}

/** Keeps every attempt for ever; a success of a doubling wait forgets what was before it. */
export class FailureOracle {
  readonly #attempts = new Map<string, Attempt[]>();

  begin(limits: readonly FailureLimit[], at: number): { waitMs: number; succeed: () => void } {
    const waitMs = limits.map((limit) => this.#waitMs(limit, at)).find((ms) => ms > 0) ?? 0;
    if (waitMs > 0) return { waitMs, succeed: () => {} };
    const attempts = limits.map((limit) => {
      const attempt = { at, hasSucceeded: false };
      this.#of(limit).push(attempt);
      return attempt;
    });
    return {
      waitMs: 0,
      succeed: () => {
        for (const [index, limit] of limits.entries()) {
          if (limit.kind === "doubling") this.#of(limit).length = 0;
          const attempt = attempts[index];
          if (attempt) attempt.hasSucceeded = true;
        }
      },
    };
  }

  #of({ group, key }: FailureLimit): Attempt[] {
    const name = `${group} ${key}`;
    const known = this.#attempts.get(name);
    if (known) return known;
    const created: Attempt[] = [];
    this.#attempts.set(name, created);
    return created;
  }

  #waitMs(limit: FailureLimit, at: number): number {
    const failed = this.#of(limit).filter(({ hasSucceeded }) => !hasSucceeded);
    const last = failed.at(-1)?.at ?? at;
    if (limit.kind === "doubling") {
      // A pause as long as this ends the series.
      let count = 0;
      let next = at;
      for (const attempt of failed.toReversed()) {
        if (attempt.at <= next - limit.forgottenAfterMs) break;
        count += 1;
        next = attempt.at;
      }
      const doublings = count - limit.free;
      return doublings < 0 ? 0 : Math.max(0, last + Math.min(limit.waitMsMax, 1000 * 2 ** doublings) - at);
    }
    const recent = failed.filter((attempt) => attempt.at >= at - limit.windowMs);
    if (recent.length < limit.limit) return 0;
    const oldest = recent.at(-limit.limit)?.at ?? at;
    return limit.waitMs === undefined ? oldest + limit.windowMs - at : Math.max(0, last + limit.waitMs - at);
  }
}

/** Misses of each second, all of them; a second counts until it ended a minute ago. */
export class MissOracle {
  readonly #misses = new Map<string, number[]>();

  add(address: string, count: number, limit: number, at: number): number {
    const all = [...(this.#misses.get(address) ?? []), ...Array<number>(count).fill(Math.floor(at / 1000))];
    this.#misses.set(address, all);
    for (let freeAt = at; ; freeAt = (Math.floor(freeAt / 1000) + 1) * 1000) {
      if (all.filter((second) => (second + 61) * 1000 > freeAt).length < limit) return freeAt - at;
    }
  }
}
