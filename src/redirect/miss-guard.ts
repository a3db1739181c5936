import type { BlockedAddress, MissCount } from "#engines/coordination/change-messages.ts";
import { MissTally } from "#engines/coordination/miss-tally.ts";

export interface MissGuardOptions {
  /** Misses per address and minute; 0 means no limit. */
  readonly limit: number;
  /** How many redirect processes share the limit. */
  readonly processes: number;
  /** Called when misses are worth a report before the next regular one. */
  readonly onUrgent?: () => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Block {
  readonly until: number;
  /** Look-ups that the address may still make; they grow back. */
  credit: number;
  creditedAt: number;
}

const ADDRESSES_MAX = 100_000;
// Reported at once, so that a fast scanner passes the limit by a few misses only, whatever its speed.
const URGENT_MISSES = 8;
const CREDIT_MAX = 10;
const CREDIT_MS = 1000;

/**
 * Slows down the guessing of slugs. A blocked address still gets every link that is in the cache. For other slugs it may
 * make about one look-up a second, because a refusal that spares the hits would not slow a scanner down, and one that
 * spares nothing would let one scanner switch off cold links for everybody behind its address.
 */
export class MissGuard {
  readonly #options: MissGuardOptions;
  readonly #now: () => number;
  readonly #creditMax: number;
  readonly #tally: MissTally;
  readonly #blocks = new Map<string, Block>();
  readonly #unreported = new Map<string, number>();

  constructor(options: MissGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#creditMax = Math.max(1, CREDIT_MAX / options.processes);
    this.#tally = new MissTally({ limit: options.limit, addressesMax: ADDRESSES_MAX, now: this.#now });
  }

  get isOn(): boolean {
    return this.#options.limit > 0;
  }

  /** For how many milliseconds the misses of the address are refused; 0 when they are not. */
  blockedForMs(address: string): number {
    const block = this.#blocks.get(address);
    if (!block) return 0;
    const forMs = block.until - this.#now();
    if (forMs > 0) return forMs;
    this.#blocks.delete(address);
    return 0;
  }

  /** Whether a blocked address may look up a slug that is not in the cache. */
  takeLookup(address: string): boolean {
    const block = this.#blocks.get(address);
    if (!block) return true;
    const now = this.#now();
    const grown = (now - block.creditedAt) / (CREDIT_MS * this.#options.processes);
    block.credit = Math.min(this.#creditMax, block.credit + grown);
    block.creditedAt = now;
    if (block.credit < 1) return false;
    block.credit -= 1;
    return true;
  }

  count(address: string): void {
    if (!this.isOn) return;
    // Each process also counts for itself, so that the limit holds while control is away.
    const forMs = this.#tally.add(address, 1);
    if (forMs > 0) this.block([[address, forMs]]);
    if (this.#unreported.size >= ADDRESSES_MAX) this.#unreported.clear();
    const unreported = (this.#unreported.get(address) ?? 0) + 1;
    this.#unreported.set(address, unreported);
    if (unreported >= URGENT_MISSES) this.#options.onUrgent?.();
  }

  /** The misses since the last report. */
  takeReport(): MissCount[] {
    const report = [...this.#unreported];
    this.#unreported.clear();
    return report;
  }

  block(addresses: readonly BlockedAddress[]): void {
    const now = this.#now();
    for (const [address, forMs] of addresses) {
      const known = this.#blocks.get(address);
      const until = Math.max(now + forMs, known?.until ?? 0);
      this.#blocks.delete(address);
      this.#blocks.set(address, {
        until,
        credit: known?.credit ?? this.#creditMax,
        creditedAt: known?.creditedAt ?? now,
      });
    }
    this.#forgetOldest(now);
  }

  #forgetOldest(now: number): void {
    for (const [address, { until }] of this.#blocks) {
      if (this.#blocks.size <= ADDRESSES_MAX && until > now) return;
      this.#blocks.delete(address);
    }
  }
}
