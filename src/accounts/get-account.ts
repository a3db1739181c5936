import type { Sql } from "#engines/records/schema.ts";
import { findAccount } from "./accounts.store.ts";

/** An account by the id an operator typed or a caller has proven; throws if there is none. */
export async function getAccount(sql: Sql, accountId: string) {
  const account = await findAccount(sql, accountId);
  if (!account) throw new Error(`there is no account "${accountId}"`);
  return account;
}

export const accountNumberOf = async (sql: Sql, accountId: string): Promise<number> =>
  (await getAccount(sql, accountId)).no;
