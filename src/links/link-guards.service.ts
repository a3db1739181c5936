import type { FailureLimit, FailureLimits } from "#engines/coordination/failure-limits.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import { NamedQueues } from "#kernel/named-queues.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { GuardAnswer, GuardQuestion } from "#visits/link-guard.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { findGuards, takeClick } from "./link-guards.store.ts";
import { CHECKS_WAITING_MAX, isLinkPassword, TooManyChecks } from "./link-password.ts";
import { type ShortOrigin, toLink } from "./link-record.ts";
import { findLinksByNo } from "./links.store.ts";

interface Deps {
  readonly records: Records;
  readonly failures: FailureLimits;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
}

type PasswordLimits = readonly [ofNetwork: FailureLimit, ofLink: FailureLimit];

// With the time that a check may wait for itself, less than the redirect process waits.
const TURN_MS_MAX = 4000;
const WRONG_PER_NETWORK = { limit: 10, windowMs: 600_000 };
const WRONG_PER_LINK = { limit: 100, windowMs: 60_000 };

/** Decides whether a visitor of a link with a password or a limit of clicks may pass. */
export function linkGuards({ records, failures, clock, outbox, origin }: Deps) {
  const visitors = new NamedQueues({
    waitingMax: CHECKS_WAITING_MAX,
    waitMsMax: TURN_MS_MAX,
    refusal: () => new TooManyChecks(),
  });

  const check = async (limits: PasswordLimits, password: string, hash: string): Promise<GuardAnswer> => {
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

  const checkInTurn = async ({ linkNo, password, network }: GuardQuestion, hash: string): Promise<GuardAnswer> => {
    if (password === null) return { result: "wrong" };
    const limits = limitsOf(linkNo, network);
    try {
      // An attempt counts as failed until it is known to be right: that must not keep out the next of the same network.
      return await visitors.run(limits[0].key, () => check(limits, password, hash));
    } catch (error) {
      if (error instanceof TooManyChecks) return { result: "busy" };
      throw error;
    }
  };

  const announceExhausted = async (tx: Sql, linkNo: number): Promise<void> => {
    const at = clock();
    for (const row of await findLinksByNo(tx, [linkNo])) {
      const data = () => ({ link: toLink(row, origin, at) });
      await outbox.append(tx, { type: "link.exhausted", accountNo: row.account_no, at, data });
    }
  };

  /** Durable before the visitor is redirected: a crash may lose a click of theirs, but never gives one more. */
  const take = (linkNo: number): Promise<GuardAnswer> =>
    records.write(
      async (tx) => {
        const row = await findGuards(tx, linkNo);
        if (!row) return { result: "deleted" };
        const max = maxClicksOf(row.settings);
        if (max === undefined) return { result: "open" };
        const left = await takeClick(tx, linkNo, max);
        if (left === null) return { result: "exhausted" };
        if (left === 0) await announceExhausted(tx, linkNo);
        return { result: "open" };
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
        const answer = await checkInTurn(question, row.password_hash);
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
const limitsOf = (linkNo: number, network: string): PasswordLimits => [
  { kind: "window", group: "link passwords of networks", key: `link ${linkNo} from ${network}`, ...WRONG_PER_NETWORK },
  { kind: "window", group: "link passwords", key: `link ${linkNo}`, ...WRONG_PER_LINK },
];
