import type { Insertable } from "kysely";
import type { Sql, TokensTable } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

export const insertToken = async (tx: Sql, row: Insertable<TokensTable>): Promise<void> => {
  await tx.insertInto("tokens").values(row).execute();
};

const selectTokenWithAccount = statement((sql, { id }: { id: string }) =>
  sql
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.no", "tokens.account_no")
    .selectAll("tokens")
    .select(["accounts.id as account_id", "accounts.plan_id", "accounts.suspended_at", "accounts.domains"])
    .where("tokens.id", "=", id),
);
export type TokenWithAccount = Awaited<ReturnType<typeof selectTokenWithAccount>>[number];

/** Not limited to an account: the token determines it. */
export const findTokenWithAccount = async (sql: Sql, id: string): Promise<TokenWithAccount | undefined> =>
  (await selectTokenWithAccount(sql, { id }))[0];

export const countLiveTokens = async (tx: Sql, accountNo: number, now: number): Promise<number> => {
  const { count } = await tx
    .selectFrom("tokens")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_no", "=", accountNo)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
};

export const listTokens = (sql: Sql, accountId: string | null) =>
  sql
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.no", "tokens.account_no")
    .selectAll("tokens")
    .select("accounts.id as account_id")
    .$if(accountId !== null, (query) => query.where("accounts.id", "=", accountId ?? ""))
    .orderBy("tokens.created_at", "desc")
    .execute();

export const markRevoked = (tx: Sql, { id, accountNo, at }: { id: string; accountNo: number | null; at: number }) =>
  tx
    .updateTable("tokens")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .$if(accountNo !== null, (query) => query.where("account_no", "=", accountNo ?? 0))
    .where("revoked_at", "is", null)
    .returning("account_no")
    .executeTakeFirst();

/** Expired tokens whose expiry isn't in the audit log yet. */
export const listExpiredUnnoted = (tx: Sql, now: number) =>
  tx
    .selectFrom("tokens")
    .select(["id", "account_no"])
    .where("revoked_at", "is", null)
    .where("expires_at", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("audit_log")
            .select("audit_log.no")
            .whereRef("audit_log.account_no", "=", "tokens.account_no")
            .whereRef("audit_log.at", ">=", "tokens.expires_at")
            .where("audit_log.action", "=", "token.expired")
            .whereRef("audit_log.subject", "=", "tokens.id"),
        ),
      ),
    )
    .orderBy("expires_at")
    .execute();

/** Nobody misses a token unused for a year, or would notice it being stolen. */
export const UNUSED_MS_MAX = 365 * 86_400_000;

export const revokeUnused = (tx: Sql, now: number) =>
  tx
    .updateTable("tokens")
    .set({ revoked_at: now })
    .where("revoked_at", "is", null)
    .where((eb) => eb(eb.fn.coalesce("last_used_at", "created_at"), "<", now - UNUSED_MS_MAX))
    .returning(["id", "account_no"])
    .execute();

/** The history of links has the names of tokens that changed them, for as long as this. */
const USED_MS_KEPT = 400 * 86_400_000;
const UNUSED_MS_KEPT = 30 * 86_400_000;

/** Deletes up to `most` tokens that were revoked or expired long ago, and returns how many. */
export const deleteSomeEnded = async (tx: Sql, now: number, most: number): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom("tokens")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("tokens")
        .select("id")
        .where(({ and, or, eb: column }) => {
          const endedBefore = (at: number) => or([column("revoked_at", "<", at), column("expires_at", "<", at)]);
          return or([
            and([column("last_used_at", "is", null), endedBefore(now - UNUSED_MS_KEPT)]),
            endedBefore(now - USED_MS_KEPT),
          ]);
        })
        .limit(most),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

export const touchToken = async (tx: Sql, id: string, at: number): Promise<void> => {
  await tx.updateTable("tokens").set({ last_used_at: at }).where("id", "=", id).execute();
};
