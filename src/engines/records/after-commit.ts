import type { Sql } from "./schema.ts";

const planned = new WeakMap<Sql, (() => void)[]>();

/**
 * Runs `action` once the transaction is committed, and never if it isn't. A transaction may run several times before it
 * succeeds, so anything outside the database belongs here or behind `write`.
 */
export function afterCommit(tx: Sql, action: () => void): void {
  const actions = planned.get(tx);
  if (actions) actions.push(action);
  else planned.set(tx, [action]);
}

/** For engines: the transaction is committed, so a failure of what follows isn't the writer's, nor of others that wait. */
export function runActions(actions: readonly (() => void)[], onError: (error: unknown) => void): void {
  for (const action of actions) {
    try {
      action();
    } catch (error) {
      onError(error);
    }
  }
}

/** For engines: what to run if the transaction is committed. */
export const plannedActions = (tx: Sql): readonly (() => void)[] => planned.get(tx) ?? [];

/** For engines: forgets all but the first, after a rollback to a savepoint. */
export function keepActions(tx: Sql, count: number): void {
  planned.get(tx)?.splice(count);
}
