import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { Hold } from "#kernel/shared-hold.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { findAccountByNo } from "./operator-links.store.ts";
import type { TagService } from "./tags.service.ts";
import { listAllTagChanges, type TagChangeRow } from "./tags.store.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly tags: Pick<TagService, "continueChange">;
  readonly onProblem: (message: string, error: unknown) => void;
  /** While links are changed, this process stays out of the way of redirects. */
  readonly stepAside: Hold;
  /** One node does it for all. */
  readonly lease?: Lease;
}

const EVERY_MS = 1000;
const AT_ONCE = 50;

/** Finishes tag changes that requests left, because they have many links or their process was killed. */
export function startTagChanges({ records, plans, tags, onProblem, stepAside, lease = alwaysHeld }: Deps): Loop {
  const callerOf = async ({ account_no, actor, via }: TagChangeRow): Promise<Caller | null> => {
    const account = await findAccountByNo(records.read, account_no);
    if (!account) return null;
    return { accountNo: account_no, accountId: account.id, plan: plans.of(account.plan_id), actor, via };
  };

  const finish = async (change: TagChangeRow, stopping: AbortSignal): Promise<void> => {
    const caller = await callerOf(change);
    if (!caller) return;
    for (let hasMore = true; hasMore && !stopping.aborted && lease.isHeld(); ) {
      const startedMs = performance.now();
      hasMore = await tags.continueChange(caller, change);
      // As long again for everyone else.
      await Bun.sleep(Math.max(1, performance.now() - startedMs));
    }
  };

  return startLoop({
    intervalMs: EVERY_MS,
    async run(stopping) {
      if (!lease.isHeld()) return false;
      const changes = await listAllTagChanges(records.read, AT_ONCE);
      if (changes.length === 0) return false;
      const comeBack = stepAside();
      try {
        for (const change of changes) await finish(change, stopping);
      } finally {
        comeBack();
      }
      return false;
    },
    onFailure: (error) => onProblem("links could not get their new tags yet", error),
  });
}
