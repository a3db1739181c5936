import { accountNumberOf } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import { appendChange, appendChangeOfAll } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { deleteIdempotencyKeysOf } from "#idempotency/idempotency.service.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";
import { startLoop } from "#kernel/loop.ts";
import { Pausable } from "#kernel/pausable.ts";
import { deleteAccountLinks } from "#links/delete-account-links.ts";
import { deleteAccount, deleteRowsOf, listRemoved, loggedTables, markRemoved } from "./account-removal.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

interface WorkerDeps extends Deps {
  readonly clicks: ClicksEngine;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
  /** How long a stop may take to finish pending removals; the rest is done after the next start. */
  readonly stopMs?: number;
  readonly lease?: Lease;
}

const INTERVAL_MS = 1000;
// An attempt may rewrite all clicks, and on a full disk it fails every time.
const RETRY_MS_MAX = 300_000;
// Long enough for most accounts, and well within the time the supervisor allows for a stop.
const STOP_MS = 5000;
// A transaction blocks the event loop, so each one is small and leaves gaps for other writers.
const BATCH = 200;

/** From now on nobody can use the account and its links are blocked; its data is removed in the background. */
export const markAccountRemoved = (
  { records, clock }: Deps,
  { accountNo, accountId, actor }: Pick<Caller, "accountNo" | "accountId" | "actor">,
): Promise<void> =>
  records.write(async (tx) => {
    const at = clock();
    await markRemoved(tx, accountNo, accountId, at);
    await appendChangeOfAll(tx, at);
    await appendAudit(tx, { at, accountNo: null, actor, action: "account.deleted", subject: accountId });
  });

/** The same for an operator, who only has the id. */
export async function removeAccount(deps: Deps, accountId: string): Promise<void> {
  const accountNo = await accountNumberOf(deps.records.read, accountId);
  await markAccountRemoved(deps, { accountNo, accountId, actor: "operator" });
}

/**
 * Removes the data of marked accounts: links with their clicks, then everything else. After a crash it continues where it
 * stopped. The account row goes last, once nothing else is left on disk but what `noteErasure` takes care of.
 */
export function startAccountRemoval(deps: WorkerDeps) {
  const { records, clock, clicks, onProblem, intervalMs = INTERVAL_MS, stopMs = STOP_MS, lease = alwaysHeld } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const erasing = new Pausable();

  const mayGoOn = (): boolean => !signal.aborted && lease.isHeld();

  const repeat = async (work: (tx: Sql) => Promise<number>): Promise<void> => {
    while (mayGoOn() && (await records.write(work)) > 0) await Bun.sleep(1);
  };

  const empty = async (accountNo: number): Promise<void> => {
    await repeat((tx) => deleteAccountLinks(tx, accountNo, BATCH, clock()));
    await repeat((tx) => deleteIdempotencyKeysOf(tx, accountNo, BATCH));
    for (const table of loggedTables) await repeat((tx) => deleteRowsOf(tx, table, accountNo, BATCH));
  };

  /** Goes through the text index and the clicks once for all accounts. */
  const eraseAll = async (accounts: readonly number[]): Promise<void> => {
    await records.forgetDeletedText(signal);
    for (const accountNo of accounts) {
      if (!mayGoOn()) return;
      await clicks.eraseAccount(accountNo);
    }
    if (!mayGoOn()) return;
    await clicks.reclaim();
    records.noteErasure();
    for (const accountNo of accounts) {
      if (!mayGoOn()) return;
      await records.write(async (tx) => {
        await deleteAccount(tx, accountNo);
        // Its domains are gone with it.
        await appendChange(tx, HOSTS_KEY, clock());
      });
    }
  };

  const turn = async (): Promise<void> => {
    if (!mayGoOn()) return;
    const accounts = await listRemoved(records.read);
    for (const accountNo of accounts) await empty(accountNo);
    if (accounts.length > 0 && mayGoOn()) await erasing.run(() => eraseAll(accounts));
  };

  const onFailure = (error: unknown): void => {
    if (!signal.aborted) onProblem("a deleted account could not be removed yet", error);
  };
  const loop = startLoop({
    intervalMs,
    retryMsMax: RETRY_MS_MAX,
    async run() {
      await turn();
      return false;
    },
    onFailure,
  });
  /** Removes what was marked since the last run began. */
  const finish = async (): Promise<void> => {
    await loop.stop();
    if (!signal.aborted) await turn().catch(onFailure);
  };
  return {
    /** No click is erased from the moment it resolves until the returned function is called. */
    pause: () => erasing.pause(),
    async stop(): Promise<void> {
      const timeout = setTimeout(() => stopping.abort(), stopMs);
      const isOver = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      // A rewrite of clicks that is still running ends when its engine closes, as if it had never begun.
      await Promise.race([finish(), isOver]);
      clearTimeout(timeout);
    },
  };
}
