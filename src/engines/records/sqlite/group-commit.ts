import { CompiledQuery, type Kysely } from "kysely";
import { nextTurn } from "#kernel/next-turn.ts";
import { keepActions, plannedActions, runActions } from "../after-commit.ts";
import { RecordsUnavailable } from "../records.ts";
import type { Database, Sql } from "../schema.ts";
import { execute } from "../statement.ts";

interface Pending {
  readonly work: (tx: Sql) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  readonly writer: Kysely<Database>;
  readonly afterCommit: () => Promise<void>;
  /** What follows a commit failed; see `runActions`. */
  readonly onActionError: (error: unknown) => void;
}

interface Committed {
  /** Tells each caller what came of its work; must only run after the commit. */
  readonly settle: () => void;
  readonly actions: readonly (() => void)[];
}

const BATCH_MAX = 64;
const SAVE = CompiledQuery.raw("savepoint one");
const RELEASE = CompiledQuery.raw("release one");
const ROLL_BACK = CompiledQuery.raw("rollback to one");

/**
 * Concurrent writers share one commit, which is most of the cost of a small transaction. Each runs in its own savepoint,
 * so a failure only rolls back its own changes.
 */
export function groupCommit({ writer, afterCommit, onActionError }: GroupCommitOptions) {
  const waiting: Pending[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      // A transaction runs without yielding, so writers that will share it must be queued before it starts.
      await nextTurn();
      const batch = waiting.splice(0, BATCH_MAX);
      const [only] = batch;
      const { settle, actions } =
        only && batch.length === 1 ? await commitAlone(writer, only) : await commitTogether(writer, batch);
      runActions(actions, onActionError);
      // The next batch doesn't wait until caches know about this one.
      void afterCommit().then(settle, settle);
    }
    isRunning = false;
  };

  return <T>(work: (tx: Sql) => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    waiting.push({ work, resolve: resolve as Pending["resolve"], reject });
    if (!isRunning) void run();
    return promise;
  };
}

async function commitAlone(writer: Kysely<Database>, { work, resolve, reject }: Pending): Promise<Committed> {
  try {
    const { result, actions } = await writer.transaction().execute(async (tx) => ({
      result: await work(tx),
      actions: plannedActions(tx),
    }));
    return { settle: () => resolve(result), actions };
  } catch (error) {
    return { settle: () => reject(error), actions: [] };
  }
}

async function commitTogether(writer: Kysely<Database>, batch: readonly Pending[]): Promise<Committed> {
  try {
    return await writer.transaction().execute(async (tx) => {
      const outcomes: (() => void)[] = [];
      for (const pending of batch) outcomes.push(await runInSavepoint(tx, pending));
      return { settle: () => outcomes.forEach((tell) => void tell()), actions: plannedActions(tx) };
    });
  } catch (error) {
    return { settle: () => batch.forEach(({ reject }) => void reject(error)), actions: [] };
  }
}

async function runInSavepoint(tx: Sql, { work, resolve, reject }: Pending): Promise<() => void> {
  await execute(tx, SAVE);
  const planned = plannedActions(tx).length;
  try {
    const result = await work(tx);
    await execute(tx, RELEASE);
    return () => resolve(result);
  } catch (error) {
    // The engine itself failed, so the whole batch fails.
    if (error instanceof RecordsUnavailable) throw error;
    keepActions(tx, planned);
    await execute(tx, ROLL_BACK);
    await execute(tx, RELEASE);
    return () => reject(error);
  }
}
