import type { FailureLimit, FailureLimits } from "#engines/coordination/failure-limits.ts";
import type { Records } from "#engines/records/records.ts";
import type { GuardAnswer, GuardQuestion } from "#visits/link-guard.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { findGuards, takeClick } from "./link-guards.store.ts";
import { isLinkPassword, TooManyChecks } from "./link-password.ts";

interface Deps {
  readonly records: Records;
  readonly failures: FailureLimits;
}

const WRONG_PER_NETWORK = { limit: 10, windowMs: 600_000 };
const WRONG_PER_LINK = { limit: 100, windowMs: 60_000 };

/** Decides whether a visitor of a link with a password or a limit of clicks may pass. */
export function linkGuards({ records, failures }: Deps) {
  const check = async ({ linkNo, password, network }: GuardQuestion, hash: string): Promise<GuardAnswer> => {
    if (password === null) return { result: "wrong" };
    const attempt = await failures.begin(limitsOf(linkNo, network));
    if (!("succeed" in attempt)) return { result: "limited", retryMs: attempt.waitMs };
    try {
      if (!(await isLinkPassword(password, hash))) return { result: "wrong" };
    } catch (error) {
      if (!(error instanceof TooManyChecks)) throw error;
      // What nobody looked at was no wrong one.
      await attempt.succeed();
      return { result: "busy" };
    }
    await attempt.succeed();
    return { result: "open" };
  };

  /** Durable before the visitor is redirected: a crash may lose a click of theirs, but never gives one more. */
  const take = (linkNo: number): Promise<GuardAnswer> =>
    records.write(
      async (tx) => {
        const row = await findGuards(tx, linkNo);
        if (!row) return { result: "deleted" };
        const max = maxClicksOf(row.settings);
        return max === undefined || (await takeClick(tx, linkNo, max)) ? { result: "open" } : { result: "exhausted" };
      },
      { queue: `clicks of link ${linkNo}` },
    );

  return {
    async open(question: GuardQuestion): Promise<GuardAnswer> {
      const row = await findGuards(records.read, question.linkNo);
      if (!row) return { result: "deleted" };
      const max = maxClicksOf(row.settings);
      // Before any password: what nobody can open needs no guessing, and no transaction.
      if (max !== undefined && row.used_clicks >= max) return { result: "exhausted" };
      if (row.password_hash !== null) {
        const answer = await check(question, row.password_hash);
        if (answer.result !== "open") return answer;
      }
      return max === undefined || !question.usesClick ? { result: "open" } : take(question.linkNo);
    },
  };
}
export type LinkGuards = ReturnType<typeof linkGuards>;

const maxClicksOf = (settings: string | null): number | undefined =>
  settings === null ? undefined : (JSON.parse(settings) as LinkSettings).max_clicks;

/** The second one is for guessers with many addresses. */
const limitsOf = (linkNo: number, network: string): readonly FailureLimit[] => [
  { kind: "window", group: "link passwords of networks", key: `link ${linkNo} from ${network}`, ...WRONG_PER_NETWORK },
  { kind: "window", group: "link passwords", key: `link ${linkNo}`, ...WRONG_PER_LINK },
];
