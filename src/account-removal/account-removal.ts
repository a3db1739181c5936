import { accountNumberOf } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { deleteIdempotencyKeysOf } from "#idempotency/idempotency.service.ts";
import { backoffMs } from "#kernel/backoff.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { Pausable } from "#kernel/pausable.ts";
import { deleteAccountLinks } from "#links/delete-account-links.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

interface WorkerDeps extends Deps {
  readonly clicks: ClicksEngine;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
  /** How long a stop may take to finish what has been asked for; the rest is done after the next start. */
  readonly lastTurnMs?: number;
}

const INTERVAL_MS = 1000;
// A try may rewrite all clicks, which a full disk lets fail each time.
const RETRY_MS_MAX = 300_000;
// Long enough for most accounts, and well within what the supervisor gives the whole stop.
const LAST_TURN_MS = 5000;
// One transaction holds the event loop, so each does little and other writers come in between.
const BATCH = 200;

/** From this moment on nobody can use the account, and its links are blocked; the rest is done by and by. */
export const markAccountRemoved = (
  { records, clock }: Deps,
  { accountNo, accountId, actor }: Pick<Caller, "accountNo" | "accountId" | "actor">,
): Promise<void> =>
  records.write(async (tx) => {
    const at = clock();
    await tx.updateTable("accounts").set({ removed_at: at, suspended_at: at }).where("no", "=", accountNo).execute();
    await tx.deleteFrom("members").where("account_id", "=", accountId).execute();
    await tx.deleteFrom("invitations").where("account_id", "=", accountId).execute();
    await tx.deleteFrom("tokens").where("account_no", "=", accountNo).execute();
    // Nothing more is sent; what was is deleted with the events.
    await tx
      .updateTable("webhook_endpoints")
      .set({ disabled_at: at, disabled_by: "owner", takes_clicks: 0 })
      .where("account_no", "=", accountNo)
      .execute();
    await appendChangeOfAll(tx, at);
    await appendAudit(tx, { at, accountNo: null, actor, action: "account.deleted", subject: accountId });
  });

/** The same for an operator, who knows its id. */
export async function removeAccount(deps: Deps, accountId: string): Promise<void> {
  const accountNo = await accountNumberOf(deps.records.read, accountId);
  await markAccountRemoved(deps, { accountNo, accountId, actor: "operator" });
}

/**
 * Removes what marked accounts hold: links with their clicks, then all else. A crash is followed by going on. The account
 * itself goes last, when nothing else of it is left on the disk but what `noteErasure` is about.
 */
export function startAccountRemoval(deps: WorkerDeps) {
  const { records, clock, clicks, onProblem, intervalMs = INTERVAL_MS, lastTurnMs = LAST_TURN_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = Promise.withResolvers<void>();
  const erasing = new Pausable();
  let failures = 0;
  let isStopping = false;

  const repeat = async (work: (tx: Sql) => Promise<number>): Promise<void> => {
    while (!signal.aborted && (await records.write(work)) > 0) await Bun.sleep(1);
  };

  const empty = async (accountNo: number): Promise<void> => {
    await repeat((tx) => deleteAccountLinks(tx, accountNo, BATCH, clock()));
    await repeat((tx) => deleteIdempotencyKeysOf(tx, accountNo, BATCH));
    for (const table of ["webhook_events", "audit_log", "link_audit"] as const) {
      await repeat((tx) => deleteSomeOf(tx, table, accountNo));
    }
  };

  /** Whatever the number of accounts, the text index and the clicks are gone through once. */
  const eraseAll = async (accounts: readonly number[]): Promise<void> => {
    await records.forgetDeletedText(signal);
    if (signal.aborted) return;
    for (const accountNo of accounts) await clicks.eraseAccount(accountNo);
    await clicks.reclaim();
    records.noteErasure();
    for (const accountNo of accounts) {
      await records.write(async (tx) => {
        // The whole account's clicks are erased, also those of single links that were still to be.
        await tx.deleteFrom("click_erasures").where("account_no", "=", accountNo).execute();
        await tx.deleteFrom("accounts").where("no", "=", accountNo).execute();
      });
    }
  };

  const turn = async (): Promise<void> => {
    const marked = await records.read
      .selectFrom("accounts")
      .select("no")
      .where("removed_at", "is not", null)
      .orderBy("removed_at")
      .execute();
    const accounts = marked.map(({ no }) => no);
    for (const accountNo of accounts) await empty(accountNo);
    if (accounts.length > 0 && !signal.aborted) await erasing.run(() => eraseAll(accounts));
  };

  const run = async (): Promise<void> => {
    for (let isLast = false; !isLast && !signal.aborted; ) {
      isLast = isStopping;
      failures = await turn().then(
        () => 0,
        (error: unknown) => {
          if (!signal.aborted) onProblem("a deleted account waits to be removed", error);
          return failures + 1;
        },
      );
      if (!isLast) await Promise.race([Bun.sleep(backoffMs(failures, intervalMs, RETRY_MS_MAX)), stopped.promise]);
    }
  };
  const running = run();
  return {
    /** From when it resolves until the function it returns is called, no click is erased. */
    pause: () => erasing.pause(),
    async stop(): Promise<void> {
      isStopping = true;
      stopped.resolve();
      const patience = setTimeout(() => stopping.abort(), lastTurnMs);
      const isOver = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      // Clicks that are being rewritten by then end with the closing of their engine, as if nothing had begun.
      await Promise.race([running, isOver]);
      clearTimeout(patience);
    },
  };
}

async function deleteSomeOf(
  tx: Sql,
  table: "webhook_events" | "audit_log" | "link_audit",
  accountNo: number,
): Promise<number> {
  const rows = tx.selectFrom(table).select("no").where("account_no", "=", accountNo).limit(BATCH);
  const { numDeletedRows } = await tx.deleteFrom(table).where("no", "in", rows).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
