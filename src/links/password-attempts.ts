import type { FailureLimit, FailureLimits } from "#engines/coordination/failure-limits.ts";
import { NamedQueues } from "#kernel/named-queues.ts";
import { CHECKS_WAITING_MAX, isLinkPassword, TooManyChecks } from "./link-password.ts";

export interface PasswordAttempt {
  /** What it opens, and which one of them. */
  readonly of: "link" | "share";
  readonly name: string;
  readonly network: string;
  readonly password: string | null;
  readonly hash: string;
}

export type AttemptResult =
  | { readonly result: "open" | "wrong" | "busy" }
  | { readonly result: "limited"; readonly retryMs: number };

type PasswordLimits = readonly [ofNetwork: FailureLimit, ofSubject: FailureLimit];

// With the time that a check may wait for itself, less than the redirect process waits.
const TURN_MS_MAX = 4000;
const WRONG_PER_NETWORK = { limit: 10, windowMs: 600_000 };
const WRONG_PER_SUBJECT = { limit: 100, windowMs: 60_000 };

/** Checks passwords that strangers enter, with limits against guessing. */
export function passwordAttempts(failures: FailureLimits) {
  const visitors = new NamedQueues({
    waitingMax: CHECKS_WAITING_MAX,
    waitMsMax: TURN_MS_MAX,
    refusal: () => new TooManyChecks(),
  });

  const checkNow = async (limits: PasswordLimits, password: string, hash: string): Promise<AttemptResult> => {
    const attempt = await failures.begin(limits);
    if (!("succeed" in attempt)) return { result: "limited", retryMs: attempt.waitMs };
    let isRight: boolean;
    try {
      isRight = await isLinkPassword(password, hash);
    } catch (error) {
      // What nobody looked at was no wrong one.
      if (error instanceof TooManyChecks) await attempt.succeed();
      throw error;
    }
    if (!isRight) return { result: "wrong" };
    await attempt.succeed();
    return { result: "open" };
  };

  return {
    async check({ password, hash, ...subject }: PasswordAttempt): Promise<AttemptResult> {
      if (password === null) return { result: "wrong" };
      const limits = limitsOf(subject);
      try {
        // An attempt counts as failed until it is known to be right: that must not keep out the next of the same network.
        return await visitors.run(limits[0].key, () => checkNow(limits, password, hash));
      } catch (error) {
        if (error instanceof TooManyChecks) return { result: "busy" };
        throw error;
      }
    },
  };
}

/** The second one is for guessers with many addresses. */
const limitsOf = ({ of, name, network }: Pick<PasswordAttempt, "of" | "name" | "network">): PasswordLimits => [
  { kind: "window", group: `${of} passwords of networks`, key: `${of} ${name} from ${network}`, ...WRONG_PER_NETWORK },
  { kind: "window", group: `${of} passwords`, key: `${of} ${name}`, ...WRONG_PER_SUBJECT },
];
