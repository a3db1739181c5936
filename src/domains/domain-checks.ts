import { appendAudit } from "#audit/audit.service.ts";
import type { TxtAnswer } from "#engines/outbound/txt-lookup.ts";
import { afterCommit } from "#engines/records/after-commit.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import { causeOfLoss, lossReasons } from "#shared/lost-domain.ts";
import { recordNameOf, recordValueOf } from "./domain-name.ts";
import { toSummary } from "./domain-record.ts";
import { type DomainRow, findHolder, updateDomain } from "./domains.store.ts";

type VerifiedBy = NonNullable<DomainRow["verified_by"]>;

export interface LostDomain {
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  /** Who says that the other account has it. */
  readonly by: VerifiedBy;
}

export interface Check {
  readonly row: DomainRow;
  readonly answer: TxtAnswer;
  readonly at: number;
  readonly actor: string;
  /** Someone waits for the result; otherwise a record may be missing for a day before it is reported. */
  readonly isAsked: boolean;
}

interface Deps {
  readonly outbox: Outbox;
  readonly onLost: (domain: LostDomain) => void;
}

const MISSING_MS_MAX = 86_400_000;

/** Decides what an answer of DNS means for a claim. Nothing but the proof of another account ends a verified one. */
export function domainChecks({ outbox, onLost }: Deps) {
  /** Why a domain was lost stays first, until it is verified again. */
  const note = (tx: Sql, row: DomainRow, at: number, problem: string): Promise<DomainRow> =>
    updateDomain(tx, row, {
      last_checked_at: at,
      last_problem: [...lossIn(row), problem].join(" "),
    });

  const found = async (tx: Sql, { row, at, actor }: Check): Promise<DomainRow> => {
    // From now on it is checked each day, as every other domain with a record.
    if (row.verified_by !== "dns") await auditVerified(tx, row, at, actor, "dns");
    return updateDomain(tx, row, {
      verified_by: "dns",
      last_checked_at: at,
      last_problem: null,
      missing_since: null,
    });
  };

  const recheck = async (tx: Sql, check: Check): Promise<DomainRow> => {
    const { row, answer, at, isAsked } = check;
    if (has(answer, row)) return found(tx, check);
    // Someone asked: a record that needn't be there isn't looked up each day, and isn't missing.
    if (row.verified_by === "operator") {
      const problem = problemOf(row, answer);
      // That DNS was away just then isn't worth remembering: no daily check would take it back.
      return answer.ok ? note(tx, row, at, problem) : { ...row, last_checked_at: at, last_problem: problem };
    }
    const since = row.missing_since ?? at;
    const isShown = isAsked || at - since >= MISSING_MS_MAX;
    return updateDomain(tx, row, {
      last_checked_at: at,
      missing_since: since,
      last_problem: isShown ? problemOf(row, answer) : row.last_problem,
    });
  };

  const lose = async (tx: Sql, row: DomainRow, at: number, by: VerifiedBy): Promise<void> => {
    const lost = await updateDomain(tx, row, {
      status: "lost",
      is_default: 0,
      last_checked_at: at,
      last_problem: lossReasons(row.name)[by],
      verified_by: null,
      missing_since: null,
      version: row.version + 1,
      updated_at: at,
    });
    const accountNo = row.account_no;
    await appendAudit(tx, { at, accountNo, actor: "system", action: "domain.lost", subject: row.id });
    await outbox.append(tx, { type: "domain.lost", accountNo, at, data: () => ({ domain: toSummary(lost) }) });
    afterCommit(tx, () => onLost({ accountNo, id: row.id, name: row.name, by }));
  };

  /** Ends the claim of whoever holds the name. */
  const take = async (
    tx: Sql,
    { row, at, actor }: Omit<Check, "answer" | "isAsked">,
    by: VerifiedBy,
  ): Promise<DomainRow> => {
    const holder = await findHolder(tx, row.name);
    if (holder && holder.no !== row.no) await lose(tx, holder, at, by);
    const verified = await updateDomain(tx, row, {
      status: "verified",
      verified_at: at,
      verified_by: by,
      last_checked_at: by === "dns" ? at : row.last_checked_at,
      last_problem: null,
      missing_since: null,
      version: row.version + 1,
      updated_at: at,
    });
    await auditVerified(tx, row, at, actor, by);
    const accountNo = row.account_no;
    await outbox.append(tx, { type: "domain.verified", accountNo, at, data: () => ({ domain: toSummary(verified) }) });
    await appendChange(tx, HOSTS_KEY, at);
    return verified;
  };

  return {
    /** Without a look-up: the operator says so. */
    vouch: (tx: Sql, claim: Omit<Check, "answer" | "isAsked">): Promise<DomainRow> => take(tx, claim, "operator"),

    async apply(tx: Sql, check: Check): Promise<DomainRow> {
      const { row, answer, at } = check;
      if (row.status === "verified") return recheck(tx, check);
      if (!has(answer, row)) return note(tx, row, at, problemOf(row, answer));
      const holder = await findHolder(tx, row.name);
      if (holder && has(answer, holder)) {
        return note(tx, row, at, `Another account uses ${row.name}, and its TXT record is still there: remove it.`);
      }
      return take(tx, check, "dns");
    },
  };
}

/** The reason that is stored when a domain is lost. */
function lossIn({ status, name, last_problem }: DomainRow): readonly string[] {
  const cause = status === "lost" ? causeOfLoss(name, last_problem) : undefined;
  return cause ? [lossReasons(name)[cause]] : [];
}

const auditVerified = (tx: Sql, row: DomainRow, at: number, actor: string, by: VerifiedBy): Promise<void> =>
  appendAudit(tx, {
    at,
    accountNo: row.account_no,
    actor,
    action: "domain.verified",
    subject: row.id,
    details: { name: row.name, by },
  });

const has = (answer: TxtAnswer, { token }: DomainRow): boolean =>
  answer.ok && answer.values.some((value) => value.trim() === recordValueOf(token));

function problemOf({ name }: DomainRow, answer: TxtAnswer): string {
  const record = recordNameOf(name);
  if (!answer.ok) return `The TXT record of ${record} couldn't be looked up: ${answer.problem}.`;
  if (answer.values.length === 0) return `There is no TXT record at ${record}. New records can take a while to show.`;
  return `The TXT record at ${record} has another value.`;
}
