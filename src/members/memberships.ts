import type { Membership } from "#contract/console/session.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { findUserAccount, listUserAccounts } from "./members.store.ts";
import { toRole } from "./roles.ts";

/** The accounts a user is a member of, in the order of joining. */
export async function listMemberships(sql: Sql, userId: string, hasSso: boolean): Promise<Membership[]> {
  const rows = await listUserAccounts(sql, userId);
  return rows.map(({ id, name, role, plan_id, suspended_at, sso_required }) => ({
    id,
    name,
    role: toRole(role),
    plan_id,
    suspended: suspended_at !== null,
    needs_sso: sso_required === 1 && !hasSso,
  }));
}

export interface FoundMembership {
  readonly accountNo: number;
  readonly role: Role;
  readonly planId: string;
  readonly suspended: boolean;
  /** Whether members must have signed in with the operator's provider. */
  readonly ssoRequired: boolean;
}

export async function findMembership(sql: Sql, userId: string, accountId: string): Promise<FoundMembership | null> {
  const row = await findUserAccount(sql, userId, accountId);
  if (!row) return null;
  return {
    accountNo: row.no,
    role: toRole(row.role),
    planId: row.plan_id,
    suspended: row.suspended_at !== null,
    ssoRequired: row.sso_required === 1,
  };
}
