import type { Membership } from "#contract/console/session.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { toRole } from "./roles.ts";

const selectMemberships = (sql: Sql, userId: string) =>
  sql
    .selectFrom("members")
    .innerJoin("accounts", "accounts.id", "members.account_id")
    .select(["accounts.no", "accounts.id", "accounts.name", "accounts.plan_id", "accounts.suspended_at"])
    .select("members.role")
    .where("members.user_id", "=", userId);

/** The accounts a person belongs to, in the order of joining. */
export async function listMemberships(sql: Sql, userId: string): Promise<Membership[]> {
  const rows = await selectMemberships(sql, userId).orderBy("members.created_at").orderBy("members.id").execute();
  return rows.map(({ id, name, role, plan_id, suspended_at }) => ({
    id,
    name,
    role: toRole(role),
    plan_id,
    suspended: suspended_at !== null,
  }));
}

export interface FoundMembership {
  readonly accountNo: number;
  readonly role: Role;
  readonly planId: string;
  readonly suspended: boolean;
}

export async function findMembership(sql: Sql, userId: string, accountId: string): Promise<FoundMembership | null> {
  const row = await selectMemberships(sql, userId).where("accounts.id", "=", accountId).executeTakeFirst();
  if (!row) return null;
  return { accountNo: row.no, role: toRole(row.role), planId: row.plan_id, suspended: row.suspended_at !== null };
}
