import { rateLimited } from "#http/rate-limit.ts";
import { ApiError } from "#kernel/api-error.ts";
import { networkOf } from "#kernel/network-address.ts";
import { DoublingWaits, FailureWindows } from "./failure-counts.ts";

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
const WAIT_MS_MAX = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FREE_FAILURES = 5;
const FAILURES_PER_NETWORK = 20;
const FAILURES_PER_ACCOUNT = 50;

interface ThrottleOptions {
  readonly now?: () => number;
  /** For the demo, whose password is public: nobody can lock out the others by guessing. */
  readonly sparesAccounts?: boolean;
}

interface Origin {
  readonly clientAddress: string;
  /** The session or device that identifies a returning person; `null` for a stranger. */
  readonly knownBy: string | null;
}

/** One of the limits an attempt counts towards. */
interface Limit {
  readonly limit: number;
  waitMs(now: number): number;
  add(now: number): void;
  /** The attempt that was added at this time has succeeded. */
  succeed(at: number): void;
}

/**
 * Slows down guessing without letting strangers lock anyone out. A returning person has their own budget. Strangers are
 * limited per network, and all of them together per account and day, so that many networks gain little. An attempt counts
 * as failed until it succeeds, so that parallel attempts gain nothing.
 */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #sparesAccounts: boolean;
  // Much longer than the longest wait, so that pausing doesn't help an attacker.
  readonly #waits = new DoublingWaits({ free: FREE_FAILURES, waitMsMax: WAIT_MS_MAX, forgottenAfterMs: DAY_MS });
  // Apart from the others: only someone with the right password adds to it, so strangers can't push a count out.
  readonly #codes = new DoublingWaits({ free: FREE_FAILURES, waitMsMax: WAIT_MS_MAX, forgottenAfterMs: DAY_MS });
  readonly #networks = new FailureWindows({ limit: FAILURES_PER_NETWORK, windowMs: WINDOW_MS });
  readonly #accounts = new FailureWindows({ limit: FAILURES_PER_ACCOUNT, windowMs: DAY_MS, waitMs: WAIT_MS_MAX });

  constructor({ now = () => performance.now(), sparesAccounts = false }: ThrottleOptions = {}) {
    this.#now = now;
    this.#sparesAccounts = sparesAccounts;
  }

  /** For a password. Throws if it is too early; returns a function to call when the attempt succeeded. */
  begin(email: string, { clientAddress, knownBy }: Origin): () => void {
    const account = email.toLowerCase();
    const network = networkOf(clientAddress);
    if (this.#sparesAccounts) return this.#take([this.#networkLimit(`sign-in ${network}`)]);
    if (knownBy !== null) return this.#take([this.#waitLimit(`${account} by ${knownBy}`)]);
    return this.#take([
      this.#networkLimit(`sign-in ${network}`),
      this.#waitLimit(`${account} from ${network}`),
      this.#accountLimit(account),
    ]);
  }

  /**
   * For a second factor. Each user has one budget for sign-in and re-authentication in all sessions and networks, and only
   * a right code renews it: anyone who gets this far has the password, and could open sessions or change it at will.
   */
  beginCode(userId: string): () => void {
    return this.#take([waitLimit(this.#codes, userId)]);
  }

  /** For requests that may send a mail; they never count as a success. */
  beginMail(email: string, clientAddress: string): void {
    const limits = [this.#networkLimit(`mail ${networkOf(clientAddress)}`)];
    this.#take([...limits, this.#waitLimit(`mail ${email.toLowerCase()}`)]);
  }

  /** For attempts that don't name a user: limited by network only. */
  beginFrom(clientAddress: string, purpose: string): () => void {
    return this.#take([this.#waitLimit(`${purpose} from ${networkOf(clientAddress)}`)]);
  }

  /**
   * For a passkey, a link or the set-up code, which nobody can guess: a valid one is accepted no matter what others in
   * the network have tried. Only a wrong one is answered with `tooMany`, if set.
   */
  tryFrom(clientAddress: string, purpose: string): { readonly tooMany: ApiError | null; readonly succeed: () => void } {
    try {
      return { tooMany: null, succeed: this.beginFrom(clientAddress, purpose) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { tooMany: error, succeed: () => {} };
    }
  }

  #take(limits: readonly Limit[]): () => void {
    const now = this.#now();
    for (const { limit, waitMs } of limits) {
      const ms = waitMs(now);
      if (ms > 0) throw tooMany(ms, limit);
    }
    for (const { add } of limits) add(now);
    return () => {
      for (const { succeed } of limits) succeed(now);
    };
  }

  #waitLimit = (key: string): Limit => waitLimit(this.#waits, key);
  #networkLimit = (key: string): Limit => windowLimit(this.#networks, FAILURES_PER_NETWORK, key);
  #accountLimit = (key: string): Limit => windowLimit(this.#accounts, FAILURES_PER_ACCOUNT, key);
}

const waitLimit = (waits: DoublingWaits, key: string): Limit => ({
  limit: FREE_FAILURES,
  waitMs: (now) => waits.waitMs(key, now),
  add: (now) => waits.add(key, now),
  succeed: () => waits.clear(key),
});

const windowLimit = (windows: FailureWindows, limit: number, key: string): Limit => ({
  limit,
  waitMs: (now) => windows.waitMs(key, now),
  add: (now) => windows.add(key, now),
  succeed: (at) => windows.remove(key, at),
});

/** An attempt is allowed at the very end of the wait; a rate window frees a millisecond later. */
const tooMany = (waitMs: number, limit: number): ApiError =>
  rateLimited({ limit, freesInMs: waitMs - 1 }, { what: "attempts", windowSeconds: WINDOW_MS / 1000 });
