import type { Expression, ExpressionBuilder, Selectable, SqlBool } from "kysely";
import type { Database, IdempotencyKeysTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

type KeyRow = Selectable<IdempotencyKeysTable>;

const selectKey = statement((sql, { account_no, operation, key }: Pick<KeyRow, "account_no" | "operation" | "key">) =>
  sql
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "response", "status", "created_at"])
    .where("account_no", "=", account_no)
    .where("operation", "=", operation)
    .where("key", "=", key),
);

const upsertKey = statement((sql, { account_no, operation, key, fingerprint, response, status, created_at }: KeyRow) =>
  sql
    .insertInto("idempotency_keys")
    .values({ account_no, operation, key, fingerprint, response, status, created_at })
    .onConflict((on) =>
      on.columns(["account_no", "operation", "key"]).doUpdateSet({ fingerprint, response, status, created_at }),
    ),
);

export const findKey = async (sql: Sql, key: Pick<KeyRow, "account_no" | "operation" | "key">) =>
  (await selectKey(sql, key))[0];

/** Replaces the answer of a key that has expired. */
export async function putKey(tx: Sql, row: KeyRow): Promise<void> {
  await upsertKey(tx, row);
}

export const deleteKeysBefore = (tx: Sql, createdBefore: number, most: number): Promise<number> =>
  deleteKeys(tx, most, (eb) => eb("created_at", "<", createdBefore));

export const deleteKeysOf = (tx: Sql, accountNo: number, most: number): Promise<number> =>
  deleteKeys(tx, most, (eb) => eb("account_no", "=", accountNo));

async function deleteKeys(
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
