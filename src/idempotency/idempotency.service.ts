import type { Sql } from "#engines/records/schema.ts";
import { type IdempotencyKey, Replayed } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";

const RETENTION_MS = 24 * 3_600_000;

/**
 * Runs `work` once for each key of an account. The answer is stored in the transaction of the change, so that a
 * crash leaves both or neither; failures are not stored, so that a corrected retry with the same key works.
 */
export async function once<T>(
  tx: Sql,
  accountNo: number,
  idempotency: IdempotencyKey | null,
  now: number,
  work: () => Promise<T>,
): Promise<T | Replayed<T>> {
  if (idempotency === null) return work();
  const { operation, key, fingerprint } = idempotency;
  const row = { account_no: accountNo, operation, key };
  const stored = await tx
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "response", "created_at"])
    .where((eb) => eb.and(row))
    .executeTakeFirst();
  if (stored && now - stored.created_at <= RETENTION_MS) {
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used before with another body.");
    }
    return new Replayed(JSON.parse(stored.response) as T);
  }
  const result = await work();
  const fresh = { fingerprint, response: JSON.stringify(result), created_at: now };
  await tx
    .insertInto("idempotency_keys")
    .values({ ...row, ...fresh })
    .onConflict((on) => on.columns(["account_no", "operation", "key"]).doUpdateSet(fresh))
    .execute();
  return result;
}

export async function pruneIdempotencyKeys(tx: Sql, now: number): Promise<void> {
  await tx
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", now - RETENTION_MS)
    .execute();
}
