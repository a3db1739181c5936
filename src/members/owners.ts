import type { Sql } from "#engines/records/schema.ts";
import { listMembers, listOwnersWithAccount } from "./members.store.ts";

export interface AccountOwners {
  readonly accountId: string;
  readonly accountName: string;
  readonly emails: readonly string[];
}

/** The people to e-mail about an account. */
export async function listOwners(sql: Sql, accountNo: number): Promise<AccountOwners> {
  const rows = await listOwnersWithAccount(sql, accountNo);
  return { accountId: rows[0]?.id ?? "", accountName: rows[0]?.name ?? "", emails: rows.map(({ email }) => email) };
}

/** Whether the account still has an owner without this member. */
export async function hasOtherOwner(sql: Sql, accountId: string, memberId: string): Promise<boolean> {
  const members = await listMembers(sql, accountId);
  return members.some(({ id, role }) => role === "owner" && id !== memberId);
}
