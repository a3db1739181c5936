import { rateLimited } from "#http/rate-limit.ts";
import type { ApiError } from "#kernel/api-error.ts";
import { networkOf } from "#kernel/network-address.ts";

const FREE_FAILURES = 5;
const DELAY_MS_MAX = 15 * 60_000;
const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ADDRESS = 20;
// Longer than the longest wait by far, so that pausing gains a guesser nothing.
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
const KEPT_MAX = 20_000;

interface Account {
  failures: number;
  lastAt: number;
  /** Before this no further attempt is looked at. */
  nextAt: number;
}

interface ThrottleOptions {
  readonly now?: () => number;
  /** Where the password is no secret, nobody may lock out the others by guessing. */
  readonly sparesAccounts?: boolean;
}

interface Address {
  /** When attempts failed or, while they run, began. */
  times: number[];
}

/**
 * Slows down guessing: for one account the wait doubles with each failure after the fifth, and one address may fail a
 * number of times only. An attempt counts as failed until it succeeds, so that many at once gain nothing.
 */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #sparesAccounts: boolean;
  readonly #accounts = new Map<string, Account>();
  readonly #addresses = new Map<string, Address>();

  constructor({ now = () => performance.now(), sparesAccounts = false }: ThrottleOptions = {}) {
    this.#now = now;
    this.#sparesAccounts = sparesAccounts;
  }

  /** Throws where it is too early; returns what to call when the attempt succeeded. */
  begin(account: string, clientAddress: string): () => void {
    const now = this.#now();
    const address = this.#addressOf(networkOf(clientAddress), now);
    const oldest = address.times.at(-FAILURES_PER_ADDRESS);
    if (oldest !== undefined) throw tooMany(oldest + WINDOW_MS - now, FAILURES_PER_ADDRESS);
    const key = account.toLowerCase();
    const known = this.#accountOf(key, now);
    if (known.nextAt > now) throw tooMany(known.nextAt - now, FREE_FAILURES);
    known.failures += 1;
    known.lastAt = now;
    if (known.failures >= FREE_FAILURES && !this.#sparesAccounts) {
      known.nextAt = now + Math.min(DELAY_MS_MAX, 1000 * 2 ** (known.failures - FREE_FAILURES));
    }
    remember(this.#accounts, key, known);
    address.times.push(now);
    remember(this.#addresses, networkOf(clientAddress), address);
    return () => {
      this.#accounts.delete(key);
      const index = address.times.indexOf(now);
      if (index >= 0) address.times.splice(index, 1);
    };
  }

  /** For attempts on nobody in particular: whoever makes them stands in for the account. */
  beginFrom(clientAddress: string, purpose: string): () => void {
    return this.begin(`${purpose} from ${networkOf(clientAddress)}`, clientAddress);
  }

  #accountOf(key: string, now: number): Account {
    const known = this.#accounts.get(key);
    return known && known.lastAt > now - FORGOTTEN_AFTER_MS ? known : { failures: 0, lastAt: now, nextAt: 0 };
  }

  #addressOf(network: string, now: number): Address {
    const address = this.#addresses.get(network) ?? { times: [] };
    while ((address.times[0] ?? now) < now - WINDOW_MS) address.times.shift();
    return address;
  }
}

/** The one that was touched longest ago makes room. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= KEPT_MAX) map.delete(map.keys().next().value ?? key);
  map.set(key, value);
}

/** At the end of the wait itself an attempt is let in, which for a window takes a moment more. */
const tooMany = (waitMs: number, limit: number): ApiError =>
  rateLimited({ limit, freesInMs: waitMs - 1 }, { what: "attempts", windowSeconds: WINDOW_MS / 1000 });
