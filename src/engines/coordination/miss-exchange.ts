import type { BlockedAddress, MissCount } from "./change-messages.ts";
import type { SharedMisses } from "./shared-misses.ts";

interface Options {
  readonly shared: SharedMisses;
  /** Addresses that the misses of all nodes together block. */
  readonly onBlocked: (addresses: readonly BlockedAddress[]) => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 250;
// Beyond this many addresses at a time, each node's own count has to do.
const ADDRESSES_MAX = 10_000;

/** Adds the misses of this node to those of the others a few times a second, in the background: nobody waits for it. */
export class MissExchange {
  readonly #options: Options;
  #counts = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  add(counts: readonly MissCount[]): void {
    for (const [address, misses] of counts) {
      const known = this.#counts.get(address);
      if (known === undefined && this.#counts.size >= ADDRESSES_MAX) continue;
      this.#counts.set(address, (known ?? 0) + misses);
    }
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isSending || this.#isClosed || this.#counts.size === 0) return;
    this.#timer = setTimeout(() => void this.#send(), this.#options.intervalMs ?? INTERVAL_MS);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    this.#isSending = true;
    const counts = [...this.#counts];
    this.#counts = new Map();
    try {
      const blocked = await this.#options.shared.add(counts);
      if (blocked.length > 0 && !this.#isClosed) this.#options.onBlocked(blocked);
    } finally {
      this.#isSending = false;
      this.#schedule();
    }
  }
}
