import type { BlockedAddress } from "./change-messages.ts";

/** How many unknown slugs an address may request per minute. */
export const MISSES_PER_MINUTE_MAX = 600;

export interface MissTallyOptions {
  /** Misses per address and minute; 0 means no limit. */
  readonly limit: number;
  readonly addressesMax?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Bucket {
  readonly second: number;
  misses: number;
}

interface Window {
  readonly buckets: Bucket[];
  total: number;
}

const WINDOW_SECONDS = 60;
const ADDRESSES_MAX = 100_000;

/** Counts misses per address over a sliding minute in one-second steps, rounded so the limit is never exceeded. */
export class MissTally {
  readonly #limit: number;
  readonly #addressesMax: number;
  readonly #now: () => number;
  // Ordered by last miss, so the first one is evicted if there are too many.
  readonly #windows = new Map<string, Window>();

  constructor({ limit, addressesMax = ADDRESSES_MAX, now = () => performance.now() }: MissTallyOptions) {
    this.#limit = limit;
    this.#addressesMax = addressesMax;
    this.#now = now;
  }

  /** Returns for how many milliseconds the address is blocked after these misses; 0 if it isn't. */
  add(address: string, misses: number): number {
    if (this.#limit === 0) return 0;
    const second = Math.floor(this.#now() / 1000);
    const window = this.#windows.get(address) ?? { buckets: [], total: 0 };
    this.#windows.delete(address);
    this.#windows.set(address, window);
    forgetBefore(window, second - WINDOW_SECONDS);
    const newest = window.buckets.at(-1);
    if (newest?.second === second) newest.misses += misses;
    else window.buckets.push({ second, misses });
    window.total += misses;
    this.#forgetIdle(second);
    return this.#blockedForMs(window);
  }

  blocked(): BlockedAddress[] {
    const second = Math.floor(this.#now() / 1000);
    const blocked: BlockedAddress[] = [];
    for (const [address, window] of this.#windows) {
      forgetBefore(window, second - WINDOW_SECONDS);
      const forMs = this.#blockedForMs(window);
      if (forMs > 0) blocked.push([address, forMs]);
    }
    return blocked;
  }

  /** Time until enough of the oldest misses have left the window. */
  #blockedForMs({ buckets, total }: Window): number {
    if (this.#limit === 0) return 0;
    let rest = total;
    let freeAt = 0;
    for (const { second, misses } of buckets) {
      if (rest < this.#limit) break;
      rest -= misses;
      freeAt = (second + 1 + WINDOW_SECONDS) * 1000;
    }
    return freeAt === 0 ? 0 : Math.max(1, Math.ceil(freeAt - this.#now()));
  }

  #forgetIdle(second: number): void {
    for (const [address, { buckets }] of this.#windows) {
      const last = buckets.at(-1)?.second ?? 0;
      if (this.#windows.size <= this.#addressesMax && last >= second - WINDOW_SECONDS) return;
      this.#windows.delete(address);
    }
  }
}

function forgetBefore(window: Window, second: number): void {
  for (let oldest = window.buckets[0]; oldest && oldest.second < second; oldest = window.buckets[0]) {
    window.total -= oldest.misses;
    window.buckets.shift();
  }
}
