import type { BlockedAddress } from "#engines/coordination/change-messages.ts";
import { MissTally } from "#engines/coordination/miss-tally.ts";
import { MissReports, type MissReportsOptions } from "./miss-reports.ts";

export interface MissGuardOptions extends Pick<MissReportsOptions, "send"> {
  /** Misses per address and minute; 0 means no limit. */
  readonly limit: number;
  /** How many redirect processes share the limit. */
  readonly processes: number;
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
// All processes together may pass the limit by a tenth: so much is counted nowhere but in the process itself.
const EXCESS_SHARE = 0.1;
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
  readonly reports: MissReports;

  constructor(options: MissGuardOptions) {
    const { limit, processes, send, now = () => performance.now() } = options;
    this.#options = options;
    this.#now = now;
    this.#creditMax = Math.max(1, CREDIT_MAX / processes);
    this.#tally = new MissTally({ limit, addressesMax: ADDRESSES_MAX, now });
    const share = Math.max(1, Math.floor((limit * EXCESS_SHARE) / processes));
    this.reports = new MissReports({ send, unconfirmedMax: processes === 1 ? Number.POSITIVE_INFINITY : share });
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

  /**
   * Counts a miss, or refuses it and returns for how many milliseconds. An address that hurries waits here until control
   * has added up what it did before, in this process and in the others.
   */
  async count(address: string): Promise<number> {
    if (!this.isOn) return 0;
    while (!this.reports.hasRoomFor(address)) await this.reports.nextConfirmation();
    const refusedForMs = this.blockedForMs(address);
    if (refusedForMs > 0) return refusedForMs;
    this.reports.add(address);
    // Each process also counts for itself, so that the limit holds while control is away.
    const forMs = this.#tally.add(address, 1);
    if (forMs > 0) this.block([[address, forMs]]);
    return 0;
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
