import {
  type FailureLimit,
  type FailureLimits,
  type FailureWindow,
  freeFailuresOf,
} from "#engines/coordination/failure-limits.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { ApiError } from "#kernel/api-error.ts";
import { networkOf } from "#kernel/network-address.ts";

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
const WAIT_MS_MAX = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FREE_FAILURES = 5;
const FAILURES_PER_NETWORK = 20;
const FAILURES_PER_ACCOUNT = 50;
const REFUSED_CODES_PER_MINUTE = 30;

interface ThrottleOptions {
  readonly failures: FailureLimits;
  /** For the demo, whose password is public: nobody can lock out the others by guessing. */
  readonly sparesAccounts?: boolean;
}

/** To be called when an attempt succeeded. */
type Succeed = () => Promise<void>;

interface Origin {
  readonly clientAddress: string;
  /** The session or device that identifies a returning person; `null` for a stranger. */
  readonly knownBy: string | null;
}

/**
 * Slows down guessing without letting strangers lock anyone out. A returning person has their own budget. Strangers are
 * limited per network, and all of them together per account and day, so that many networks gain little. An attempt counts
 * as failed until it succeeds, so that parallel attempts gain nothing.
 */
export class SignInThrottle {
  readonly #failures: FailureLimits;
  readonly #sparesAccounts: boolean;

  constructor({ failures, sparesAccounts = false }: ThrottleOptions) {
    this.#failures = failures;
    this.#sparesAccounts = sparesAccounts;
  }

  /** For a password. Rejects if it is too early. */
  begin(email: string, { clientAddress, knownBy }: Origin): Promise<Succeed> {
    const account = email.toLowerCase();
    const network = networkOf(clientAddress);
    if (this.#sparesAccounts) return this.#take([perNetwork(`sign-in ${network}`)]);
    if (knownBy !== null) return this.#take([perPerson(`${account} by ${knownBy}`)]);
    return this.#take([perNetwork(`sign-in ${network}`), perPerson(`${account} from ${network}`), perAccount(account)]);
  }

  /**
   * For a second factor. Each user has one budget for sign-in and re-authentication in all sessions and networks, and only
   * a right code renews it: anyone who gets this far has the password, and could open sessions or change it at will.
   */
  beginCode(userId: string): Promise<Succeed> {
    // A group of its own: only someone with the right password adds to it, so strangers can't push a count out.
    return this.#take([doublingWait("code", userId)]);
  }

  /** For requests that may send a mail; they never count as a success. */
  async beginMail(email: string, clientAddress: string): Promise<void> {
    await this.#take([perNetwork(`mail ${networkOf(clientAddress)}`), perPerson(`mail ${email.toLowerCase()}`)]);
  }

  /** For attempts that don't name a user: limited by network only. */
  beginFrom(clientAddress: string, purpose: string): Promise<Succeed> {
    return this.#take([perPerson(`${purpose} from ${networkOf(clientAddress)}`)]);
  }

  /**
   * For a passkey, a link or the set-up code, which nobody can guess: a valid one is accepted no matter what others in
   * the network have tried. Only a wrong one is answered with `tooMany`, if set.
   */
  async tryFrom(
    clientAddress: string,
    purpose: string,
  ): Promise<{ readonly tooMany: ApiError | null; readonly succeed: Succeed }> {
    try {
      return { tooMany: null, succeed: await this.beginFrom(clientAddress, purpose) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { tooMany: error, succeed: async () => {} };
    }
  }

  /**
   * For codes that only the operator's provider can check: invented ones must not become a flood of calls to it. Only
   * those count, so an office may sign in behind one address.
   */
  beginCall(clientAddress: string): Promise<Succeed> {
    const network = networkOf(clientAddress);
    return this.#take([{ ...perNetwork(`provider ${network}`), limit: REFUSED_CODES_PER_MINUTE, windowMs: MINUTE_MS }]);
  }

  async #take(limits: readonly FailureLimit[]): Promise<Succeed> {
    const decision = await this.#failures.begin(limits);
    if ("succeed" in decision) return decision.succeed;
    throw tooMany(decision.waitMs, decision.limit);
  }
}

const doublingWait = (group: string, key: string): FailureLimit => ({
  kind: "doubling",
  group,
  key,
  free: FREE_FAILURES,
  waitMsMax: WAIT_MS_MAX,
  // Much longer than the longest wait, so that pausing doesn't help an attacker.
  forgottenAfterMs: DAY_MS,
});

const perPerson = (key: string): FailureLimit => doublingWait("person", key);

const perNetwork = (key: string): FailureWindow => ({
  kind: "window",
  group: "network",
  key,
  limit: FAILURES_PER_NETWORK,
  windowMs: WINDOW_MS,
});

const perAccount = (key: string): FailureLimit => ({
  kind: "window",
  group: "account",
  key,
  limit: FAILURES_PER_ACCOUNT,
  windowMs: DAY_MS,
  waitMs: WAIT_MS_MAX,
});

/** An attempt is allowed at the very end of the wait; a rate window frees a millisecond later. */
const tooMany = (waitMs: number, limit: FailureLimit): ApiError =>
  rateLimited(
    { limit: freeFailuresOf(limit), freesInMs: waitMs - 1 },
    { what: "attempts", windowSeconds: (limit.kind === "window" ? limit.windowMs : WINDOW_MS) / 1000 },
  );
