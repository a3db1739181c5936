import type { Sql } from "#engines/records/schema.ts";
import { type IdempotencyKey, OtherStatus, Replayed } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";
import { deleteKeysBefore, deleteKeysOf, findKey, putKey } from "./idempotency.store.ts";

const RETENTION_MS = 24 * 3_600_000;

/**
 * Runs `work` once for each key of an account. The response is stored in the same transaction as the change, so a
 * crash leaves both or neither. Failures aren't stored, so a corrected retry with the same key works.
 */
export async function once<T>(
  tx: Sql,
  accountNo: number,
  idempotency: IdempotencyKey | null,
  now: number,
  work: () => Promise<T>,
): Promise<T | Replayed> {
  if (idempotency === null) return work();
  const { operation, key, fingerprint } = idempotency;
  const row = { account_no: accountNo, operation, key };
  const stored = await findKey(tx, row);
  if (stored && now - stored.created_at <= RETENTION_MS) {
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used before with another body.");
    }
    return new Replayed(stored.response, stored.status);
  }
  const result = await work();
  const { status, value } = result instanceof OtherStatus ? result : { status: null, value: result };
  await putKey(tx, { ...row, fingerprint, response: JSON.stringify(value), status, created_at: now });
  return result;
}

/** Deletes up to `most` expired keys, and returns how many. */
export const pruneIdempotencyKeys = (tx: Sql, now: number, most: number): Promise<number> =>
  deleteKeysBefore(tx, now - RETENTION_MS, most);

/** Deletes up to `most` of an account's keys with their stored responses, and returns how many. */
export const deleteIdempotencyKeysOf = (tx: Sql, accountNo: number, most: number): Promise<number> =>
  deleteKeysOf(tx, accountNo, most);
