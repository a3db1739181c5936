import { appendAudit } from "#audit/audit.service.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { Pausable } from "#kernel/pausable.ts";
import { buryLinksOf } from "#links/bury-links.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

interface WorkerDeps extends Deps {
  readonly clicks: ClicksEngine;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 1000;
// One transaction holds the event loop, so each does little and other writers come in between.
const BATCH = 200;

/** From this moment on nobody can use the account, and its links are blocked; the rest is done by and by. */
export const markAccountRemoved = ({ records, clock }: Deps, { accountNo, accountId, actor }: Caller): Promise<void> =>
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

/** Removes what marked accounts hold: links with their clicks, then all else. A crash is followed by going on. */
export function startAccountRemoval({ records, clock, clicks, onProblem, intervalMs = INTERVAL_MS }: WorkerDeps) {
  const stopped = Promise.withResolvers<void>();
  const erasing = new Pausable();
  let isStopping = false;

  const repeat = async (work: (tx: Sql) => Promise<number>): Promise<void> => {
    while (!isStopping && (await records.write(work)) > 0) await Bun.sleep(1);
  };

  const remove = async (accountNo: number): Promise<void> => {
    await repeat((tx) => buryLinksOf(tx, accountNo, BATCH, clock()));
    for (const table of ["webhook_events", "audit_log"] as const) {
      await repeat((tx) => deleteSomeOf(tx, table, accountNo));
    }
    if (!isStopping) await erasing.run(() => eraseRest(accountNo));
  };

  const eraseRest = async (accountNo: number): Promise<void> => {
    await clicks.eraseAccount(accountNo);
    await records.write(async (tx) => {
      // The whole account's clicks are erased, also those of single links that were still to be.
      await tx.deleteFrom("click_erasures").where("account_no", "=", accountNo).execute();
      await tx.deleteFrom("accounts").where("no", "=", accountNo).execute();
    });
  };

  const turn = async (): Promise<void> => {
    const marked = await records.read
      .selectFrom("accounts")
      .select("no")
      .where("removed_at", "is not", null)
      .orderBy("removed_at")
      .execute();
    for (const { no } of marked) await remove(no);
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      await turn().catch((error: unknown) => onProblem("a deleted account waits to be removed", error));
      await Promise.race([Bun.sleep(intervalMs), stopped.promise]);
    }
  };
  const running = run();
  return {
    /** From when it resolves until the function it returns is called, no click is erased. */
    pause: () => erasing.pause(),
    stop(): Promise<void> {
      isStopping = true;
      stopped.resolve();
      return running;
    },
  };
}

async function deleteSomeOf(tx: Sql, table: "webhook_events" | "audit_log", accountNo: number): Promise<number> {
  const rows = tx.selectFrom(table).select("no").where("account_no", "=", accountNo).limit(BATCH);
  const { numDeletedRows } = await tx.deleteFrom(table).where("no", "in", rows).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
