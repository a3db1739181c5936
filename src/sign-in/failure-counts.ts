const KEPT_MAX = 20_000;

/** Failed attempts, including those still running. */
interface Failures {
  count: number;
  lastAt: number;
}

/** After some free failures, each further one doubles the wait. */
export class DoublingWaits {
  readonly #byKey = new Map<string, Failures>();
  readonly #options: { readonly free: number; readonly waitMsMax: number; readonly forgottenAfterMs: number };

  constructor(options: { readonly free: number; readonly waitMsMax: number; readonly forgottenAfterMs: number }) {
    this.#options = options;
  }

  /** How long until another attempt is allowed. */
  waitMs(key: string, now: number): number {
    const { free, waitMsMax } = this.#options;
    const { count, lastAt } = this.#failuresOf(key, now);
    return count < free ? 0 : Math.max(0, lastAt + Math.min(waitMsMax, 1000 * 2 ** (count - free)) - now);
  }

  add(key: string, now: number): void {
    remember(this.#byKey, key, { count: this.#failuresOf(key, now).count + 1, lastAt: now });
  }

  clear(key: string): void {
    this.#byKey.delete(key);
  }

  #failuresOf(key: string, now: number): Failures {
    const known = this.#byKey.get(key);
    return known && known.lastAt > now - this.#options.forgottenAfterMs ? known : { count: 0, lastAt: now };
  }
}

/** Allows `limit` failures within a window; then one per `waitMs`, or none until the oldest leaves the window. */
export class FailureWindows {
  readonly #timesByKey = new Map<string, number[]>();
  readonly #options: { readonly limit: number; readonly windowMs: number; readonly waitMs?: number };

  constructor(options: { readonly limit: number; readonly windowMs: number; readonly waitMs?: number }) {
    this.#options = options;
  }

  waitMs(key: string, now: number): number {
    const { limit, windowMs, waitMs } = this.#options;
    const times = this.#timesByKey.get(key) ?? [];
    const oldest = times.at(-limit);
    if (oldest === undefined || oldest < now - windowMs) return 0;
    return waitMs === undefined ? oldest + windowMs - now : Math.max(0, (times.at(-1) ?? now) + waitMs - now);
  }

  add(key: string, now: number): void {
    // Older ones no longer matter.
    const times = (this.#timesByKey.get(key) ?? []).slice(1 - this.#options.limit);
    remember(this.#timesByKey, key, [...times, now]);
  }

  /** Removes an attempt that turned out to succeed. */
  remove(key: string, at: number): void {
    const times = this.#timesByKey.get(key) ?? [];
    const index = times.indexOf(at);
    if (index >= 0) times.splice(index, 1);
  }
}

/** Evicts the least recently updated key. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= KEPT_MAX) map.delete(map.keys().next().value ?? key);
  map.set(key, value);
}
