import { BULK_PASSWORDS_MAX, type BulkResult, type LinkBulk, type LinkBulkResults } from "#contract/link-bulk.ts";
import { RecordsUnavailable, type WriteOptions } from "#engines/records/records.ts";
import { eachByItself } from "#engines/records/savepoint.ts";
import type { Sql } from "#engines/records/schema.ts";
import { type IdempotencyKey, OtherStatus, Replayed } from "#http/route.ts";
import { once } from "#idempotency/idempotency.service.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { queueOf } from "./account-queue.ts";
import { type CheckedOperation, operationReader } from "./bulk-operation.ts";
import type { CreatedLink, LinkCreation } from "./create-link.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import type { LinkTrash } from "./link-trash.ts";
import { withSecretFingerprint } from "./secret-fingerprint.ts";
import type { LinkUpdates } from "./update-link.ts";

type Deps = Pick<LinkDeps, "records" | "clock" | "destinations" | "secretKey">;

interface UseCases {
  readonly create: LinkCreation;
  readonly updates: LinkUpdates;
  readonly trash: LinkTrash;
}

/** An operation that passed its checks, or what is wrong with it. */
type Prepared = { readonly status: number; readonly work: LinkWork<CreatedLink | null> } | ApiError;

/** How many run without letting others in. */
const SLICE = 50;

/** Many operations in few transactions, each by the use case that a request of its own runs. */
export function bulkOperations({ records, clock, destinations, secretKey }: Deps, useCases: UseCases) {
  const { create, updates, trash } = useCases;
  const read = operationReader(destinations, clock);

  const workOf = async (caller: Caller, operation: CheckedOperation): Promise<Exclude<Prepared, ApiError>> => {
    if (operation.op === "create") return { status: 201, work: (await create(caller, operation.body))() };
    const { op, id, ifMatch } = operation;
    if (op === "update") return { status: 200, work: await updates.update(caller, id, operation.patch, ifMatch) };
    if (op !== "delete") return { status: 200, work: updates.act(caller, id, op, ifMatch) };
    const work = (operation.permanent ? trash.erase : trash.moveToTrash)(caller, id, ifMatch);
    return { status: 204, work: (tx, now) => (work as LinkWork<unknown>)(tx, now).then(() => null) };
  };

  const prepare = async (caller: Caller, json: unknown): Promise<Prepared> => {
    try {
      return await workOf(caller, read(json));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error;
      throw error;
    }
  };

  const prepareAll = async (caller: Caller, operations: readonly unknown[]): Promise<Prepared[]> => {
    const prepared: Prepared[] = [];
    for (const [index, operation] of operations.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn();
      prepared.push(await prepare(caller, operation));
    }
    return prepared;
  };

  /** One transaction for all, which lets others read in between. The first failure ends it. */
  const runAtOnce = async (tx: Sql, operations: readonly Prepared[]): Promise<BulkResult[]> => {
    const now = clock();
    const results: BulkResult[] = [];
    // What is known to fail needs no work before it.
    const bad = operations.findIndex((operation) => operation instanceof ApiError);
    if (bad >= 0) throw operationFailed(bad, operations[bad] as ApiError);
    for (const [index, operation] of operations.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn();
      try {
        results.push(await succeed(tx, operation, now));
      } catch (error) {
        throw error instanceof ApiError ? operationFailed(index, error) : error;
      }
    }
    return results;
  };

  /** In one transaction, too, but each succeeds or fails by itself. */
  const runEach = (tx: Sql, operations: readonly Prepared[]): Promise<BulkResult[]> => {
    const now = clock();
    return eachByItself(
      tx,
      operations.map((operation) => () => succeed(tx, operation, now)),
      (error) => {
        if (!(error instanceof ApiError)) throw error;
        return failed(error);
      },
    );
  };

  /** A retry gets the results of slices that are done, and has the others done. */
  const runSlice = async (
    caller: Caller,
    key: IdempotencyKey | null,
    run: (tx: Sql) => Promise<BulkResult[]>,
    { isLarge = false }: Pick<WriteOptions, "isLarge"> = {},
  ): Promise<BulkResult[] | Replayed> =>
    records.write((tx) => once(tx, caller.accountNo, key, clock(), () => run(tx)), { ...queueOf(caller), isLarge });

  const runSlices = async (caller: Caller, operations: readonly Prepared[], key: IdempotencyKey | null) => {
    const results: BulkResult[] = [];
    let isReplay = true;
    for (let from = 0; from < operations.length; from += SLICE) {
      const slice = operations.slice(from, from + SLICE);
      // The first has the key as it is, as an atomic request has: so it is noticed if one reuses the other's.
      const part = key && from > 0 ? { ...key, operation: `${key.operation}/${from / SLICE}` } : key;
      try {
        const done = await runSlice(caller, part, (tx) => runEach(tx, slice));
        if (!(done instanceof Replayed)) isReplay = false;
        results.push(...resultsOf(done));
      } catch (error) {
        if (from === 0 || !(error instanceof RecordsUnavailable)) throw error;
        // What came before has happened, and its results must be told.
        return { results: [...results, ...operations.slice(from).map(notRun)], isReplay: false };
      }
      await nextTurn();
    }
    return { results, isReplay };
  };

  return {
    async bulk(
      caller: Caller,
      { operations, atomic }: LinkBulk,
      idempotency: IdempotencyKey | null,
    ): Promise<LinkBulkResults | Replayed> {
      const passwords = operations.filter(hasPassword).length;
      if (passwords > BULK_PASSWORDS_MAX) throw tooManyPasswords();
      const key = idempotency && passwords > 0 ? withSecretFingerprint(idempotency, secretKey) : idempotency;
      const prepared = await prepareAll(caller, operations);
      if (atomic) {
        const done = await runSlice(caller, key, (tx) => runAtOnce(tx, prepared), { isLarge: true });
        return answer(resultsOf(done), done instanceof Replayed);
      }
      const { results, isReplay } = await runSlices(caller, prepared, key);
      return answer(results, isReplay && key !== null);
    },
  };
}

const succeed = async (tx: Sql, operation: Prepared, now: number): Promise<BulkResult> => {
  if (operation instanceof ApiError) throw operation;
  const done = await operation.work(tx, now);
  if (done instanceof OtherStatus) return { status: done.status, link: done.value, error: null };
  return { status: operation.status, link: done, error: null };
};

const describe = ({ code, message, details }: ApiError): NonNullable<BulkResult["error"]> => ({
  code,
  message,
  ...(details !== undefined && { details: details as Record<string, unknown> }),
});

const failed = (error: ApiError): BulkResult => ({ status: error.status, link: null, error: describe(error) });

const notRun = (): BulkResult =>
  failed(new ApiError("unavailable", "The service can't read or write data right now. Try again shortly."));

const operationFailed = (index: number, error: ApiError): ApiError =>
  new ApiError("operation_failed", `Operation ${index} failed, so none of them happened: ${error.message}`, {
    index,
    status: error.status,
    error: describe(error),
  });

const tooManyPasswords = (): ApiError =>
  validationFailed([
    bodyProblem("operations", "too_long", `At most ${BULK_PASSWORDS_MAX} operations can set a password.`),
  ]);

const hasPassword = (operation: unknown): boolean => {
  const { link } = (operation ?? {}) as { readonly link?: { readonly password?: unknown } | null };
  return typeof link?.password === "string";
};

const resultsOf = (done: BulkResult[] | Replayed): BulkResult[] =>
  done instanceof Replayed ? (JSON.parse(done.json) as BulkResult[]) : done;

function answer(results: BulkResult[], isReplay: boolean): LinkBulkResults | Replayed {
  const failures = results.filter(({ error }) => error !== null).length;
  const all: LinkBulkResults = { succeeded: results.length - failures, failed: failures, results };
  return isReplay ? new Replayed(JSON.stringify(all)) : all;
}
