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

const ADDRESSES_MAX = 100_000;
// All processes together may exceed the limit by a tenth: that much is known only to the process that counted it.
const EXCESS_SHARE = 0.1;

/**
 * Refuses unknown slugs to an address that has requested too many, but never existing links: thousands of people may
 * share the address with the one who guesses.
 */
export class MissGuard {
  readonly #options: MissGuardOptions;
  readonly #now: () => number;
  readonly #tally: MissTally;
  /** Until when each address is blocked. */
  readonly #blocks = new Map<string, number>();
  readonly reports: MissReports;

  constructor(options: MissGuardOptions) {
    const { limit, processes, send, now = () => performance.now() } = options;
    this.#options = options;
    this.#now = now;
    this.#tally = new MissTally({ limit, addressesMax: ADDRESSES_MAX, now });
    const share = Math.max(1, Math.floor((limit * EXCESS_SHARE) / processes));
    this.reports = new MissReports({ send, unconfirmedMax: processes === 1 ? Number.POSITIVE_INFINITY : share });
  }

  get isOn(): boolean {
    return this.#options.limit > 0;
  }

  /** For how many milliseconds misses from the address are refused; 0 if they aren't. */
  blockedForMs(address: string): number {
    const until = this.#blocks.get(address);
    if (until === undefined) return 0;
    const forMs = until - this.#now();
    if (forMs > 0) return forMs;
    this.#blocks.delete(address);
    return 0;
  }

  /**
   * Counts a miss, or refuses it and returns for how many milliseconds. For an address with many misses, this waits until
   * control has added up its earlier ones from all processes.
   */
  async count(address: string): Promise<number> {
    if (!this.isOn) return 0;
    while (!this.reports.hasRoomFor(address)) await this.reports.nextConfirmation();
    const refusedForMs = this.blockedForMs(address);
    if (refusedForMs > 0) return refusedForMs;
    this.reports.add(address);
    // Each process also counts for itself, so the limit holds while control is unavailable.
    const forMs = this.#tally.add(address, 1);
    if (forMs > 0) this.block([[address, forMs]]);
    return 0;
  }

  block(addresses: readonly BlockedAddress[]): void {
    const now = this.#now();
    for (const [address, forMs] of addresses) {
      const until = Math.max(now + forMs, this.#blocks.get(address) ?? 0);
      this.#blocks.delete(address);
      this.#blocks.set(address, until);
    }
    this.#forgetOldest(now);
  }

  #forgetOldest(now: number): void {
    for (const [address, until] of this.#blocks) {
      if (this.#blocks.size <= ADDRESSES_MAX && until > now) return;
      this.#blocks.delete(address);
    }
  }
}
