import type { FailureLimits } from "#engines/coordination/failure-limits.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { GuardAnswer, GuardQuestion } from "#visits/link-guard.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { findGuards, takeClick } from "./link-guards.store.ts";
import { type ShortOrigin, toLink } from "./link-record.ts";
import { findLinksByNo } from "./links.store.ts";
import { passwordAttempts } from "./password-attempts.ts";

interface Deps {
  readonly records: Records;
  readonly failures: FailureLimits;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
}

/** Decides whether a visitor of a link with a password or a limit of clicks may pass. */
export function linkGuards({ records, failures, clock, outbox, origin }: Deps) {
  const passwords = passwordAttempts(failures);

  const checkPassword = ({ linkNo, password, network }: GuardQuestion, hash: string): Promise<GuardAnswer> =>
    passwords.check({ of: "link", name: String(linkNo), network, password, hash });

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
        const answer = await checkPassword(question, row.password_hash);
        if (answer.result !== "open") return answer;
      }
      return max === undefined || !question.usesClick ? { result: "open" } : take(question.linkNo);
    },
  };
}
export type LinkGuards = ReturnType<typeof linkGuards>;

const maxClicksOf = (settings: string | null): number | undefined =>
  settings === null ? undefined : (JSON.parse(settings) as LinkSettings).max_clicks;
