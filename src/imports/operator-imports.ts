import { getAccount } from "#accounts/get-account.ts";
import type { Import } from "#contract/console/imports.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import type { ImportRequest, ImportService } from "./imports.service.ts";
import { inOperatorWords } from "./operator-words.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly imports: ImportService;
}

export interface Following {
  /** Whether a server does the work, which goes on without this command. */
  readonly isServer: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (now: Import) => void;
}

const explain = (error: unknown): never => {
  throw inOperatorWords(error);
};

/** Lets the operator import for an account, and act on any import by its id. */
export function operatorImports({ records, plans, imports }: Deps) {
  const callerFor = async (accountId: string): Promise<Caller> => {
    const { no, plan_id } = await getAccount(records.read, accountId);
    return { accountNo: no, accountId, plan: plans.of(plan_id), actor: "operator", via: "import" };
  };
  const callerOf = async (importId: string): Promise<Caller> => {
    const accountId = await imports.accountIdOf(importId);
    if (accountId === undefined) throw new Error(`there is no import "${importId}"; list them with: imports list`);
    return callerFor(accountId);
  };

  /** Waits until there is nothing left to do, and does it if no server does. */
  const follow = async (caller: Caller, id: string, { isServer, signal, onProgress }: Following): Promise<Import> => {
    if (isServer) return imports.follow(caller, id, signal, onProgress);
    const isOver = new AbortController();
    const shown = imports.follow(caller, id, isOver.signal, onProgress).catch(() => {});
    try {
      return await imports.finish(caller, id, signal);
    } finally {
      isOver.abort();
      await shown;
    }
  };

  return {
    async import(accountId: string, request: ImportRequest, following: Following): Promise<Import> {
      const caller = await callerFor(accountId);
      const { id } = await imports.begin(caller, request).catch(explain);
      return follow(caller, id, following);
    },
    list: async (accountId: string): Promise<Import[]> => imports.list(await callerFor(accountId)),
    show: async (id: string): Promise<Import> => imports.get(await callerOf(id), id),
    /** As CSV. */
    problems: async (id: string): Promise<string> =>
      (await Array.fromAsync(await imports.problems(await callerOf(id), id))).join(""),
    cancel: async (id: string): Promise<Import> => imports.cancel(await callerOf(id), id),
    async resume(id: string, token: string | undefined, following: Following): Promise<Import> {
      const caller = await callerOf(id);
      await imports.resume(caller, id, token).catch(explain);
      return follow(caller, id, following);
    },
    async undo(id: string, following: Following): Promise<Import> {
      const caller = await callerOf(id);
      await imports.undo(caller, id).catch(explain);
      return follow(caller, id, following);
    },
  };
}
