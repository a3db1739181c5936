import type { Expression, ExpressionBuilder, Selectable, SqlBool } from "kysely";
import type { Database, IdempotencyKeysTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { type IdempotencyKey, Replayed } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";

const RETENTION_MS = 24 * 3_600_000;

type KeyRow = Selectable<IdempotencyKeysTable>;

const selectKey = statement((sql, { account_no, operation, key }: Pick<KeyRow, "account_no" | "operation" | "key">) =>
  sql
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "response", "created_at"])
    .where("account_no", "=", account_no)
    .where("operation", "=", operation)
    .where("key", "=", key),
);

const upsertKey = statement((sql, { account_no, operation, key, fingerprint, response, created_at }: KeyRow) =>
  sql
    .insertInto("idempotency_keys")
    .values({ account_no, operation, key, fingerprint, response, created_at })
    .onConflict((on) =>
      on.columns(["account_no", "operation", "key"]).doUpdateSet({ fingerprint, response, created_at }),
    ),
);

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
): Promise<T | Replayed> {
  if (idempotency === null) return work();
  const { operation, key, fingerprint } = idempotency;
  const row = { account_no: accountNo, operation, key };
  const [stored] = await selectKey(tx, row);
  if (stored && now - stored.created_at <= RETENTION_MS) {
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used before with another body.");
    }
    return new Replayed(stored.response);
  }
  const result = await work();
  await upsertKey(tx, { ...row, fingerprint, response: JSON.stringify(result), created_at: now });
  return result;
}

/** Deletes some of the keys that are past their time, and returns how many. */
export const pruneIdempotencyKeys = (tx: Sql, now: number, most: number): Promise<number> =>
  deleteSome(tx, most, (eb) => eb("created_at", "<", now - RETENTION_MS));

/** Deletes some of an account's keys, with the answers that they keep, and returns how many. */
export const deleteIdempotencyKeysOf = (tx: Sql, accountNo: number, most: number): Promise<number> =>
  deleteSome(tx, most, (eb) => eb("account_no", "=", accountNo));

async function deleteSome(
  tx: Sql,
  most: number,
  condition: (eb: ExpressionBuilder<Database, "idempotency_keys">) => Expression<SqlBool>,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("idempotency_keys")
    .where((eb) =>
      eb(
        eb.refTuple("account_no", "operation", "key"),
        "in",
        eb
          .selectFrom("idempotency_keys")
          .select(["account_no", "operation", "key"])
          .where(condition)
          .limit(most)
          .$asTuple("account_no", "operation", "key"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
