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
  /** Where the password is no secret, nobody may lock out the others by guessing. */
  readonly sparesAccounts?: boolean;
}

interface Origin {
  readonly clientAddress: string;
  /** The session or device by which this person was here before; `null` for a stranger. */
  readonly knownBy: string | null;
}

/** One count of failures that an attempt is held against. */
interface Limit {
  readonly limit: number;
  waitMs(now: number): number;
  add(now: number): void;
  /** The attempt that was added at this time has succeeded. */
  succeed(at: number): void;
}

/**
 * Slows down guessing without letting a stranger lock anyone out. Someone who was here before has a budget of their own.
 * Strangers are slowed down by network, and all of them together may fail so often for one account in a day, so that
 * many networks gain little. An attempt counts as failed until it succeeds, so that many at once gain nothing.
 */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #sparesAccounts: boolean;
  // Longer than the longest wait by far, so that pausing gains a guesser nothing.
  readonly #waits = new DoublingWaits({ free: FREE_FAILURES, waitMsMax: WAIT_MS_MAX, forgottenAfterMs: DAY_MS });
  readonly #networks = new FailureWindows({ limit: FAILURES_PER_NETWORK, windowMs: WINDOW_MS });
  readonly #accounts = new FailureWindows({ limit: FAILURES_PER_ACCOUNT, windowMs: DAY_MS, waitMs: WAIT_MS_MAX });

  constructor({ now = () => performance.now(), sparesAccounts = false }: ThrottleOptions = {}) {
    this.#now = now;
    this.#sparesAccounts = sparesAccounts;
  }

  /** For a password. Throws where it is too early; returns what to call when the attempt succeeded. */
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

  /** For what may send a mail to someone, and so never counts as a success. */
  beginMail(email: string, clientAddress: string): void {
    const limits = [this.#networkLimit(`mail ${networkOf(clientAddress)}`)];
    this.#take([...limits, this.#waitLimit(`mail ${email.toLowerCase()}`)]);
  }

  /** For attempts on nobody in particular: the network they come from stands in for the account. */
  beginFrom(clientAddress: string, purpose: string): () => void {
    return this.#take([this.#waitLimit(`${purpose} from ${networkOf(clientAddress)}`)]);
  }

  /**
   * For a passkey, a link or the set-up code, which nobody guesses: a good one is taken whatever others in the network have tried. Only
   * what turns out to be wrong is answered with `tooMany`, where there is one.
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

  #waitLimit = (key: string): Limit => ({
    limit: FREE_FAILURES,
    waitMs: (now) => this.#waits.waitMs(key, now),
    add: (now) => this.#waits.add(key, now),
    succeed: () => this.#waits.clear(key),
  });

  #networkLimit = (key: string): Limit => windowLimit(this.#networks, FAILURES_PER_NETWORK, key);
  #accountLimit = (key: string): Limit => windowLimit(this.#accounts, FAILURES_PER_ACCOUNT, key);
}

const windowLimit = (windows: FailureWindows, limit: number, key: string): Limit => ({
  limit,
  waitMs: (now) => windows.waitMs(key, now),
  add: (now) => windows.add(key, now),
  succeed: (at) => windows.remove(key, at),
});

/** At the end of the wait itself an attempt is let in, which for a window takes a moment more. */
const tooMany = (waitMs: number, limit: number): ApiError =>
  rateLimited({ limit, freesInMs: waitMs - 1 }, { what: "attempts", windowSeconds: WINDOW_MS / 1000 });
