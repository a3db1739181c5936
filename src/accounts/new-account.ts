import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";
import { insertAccount, insertMember } from "./accounts.store.ts";

export interface NewAccount {
  readonly name: string;
  readonly planId: string;
  readonly ownerId: string;
  /** For the audit log. */
  readonly actor: string;
  readonly at: number;
}

/** Creates the account and its owner's membership. */
export async function createAccount(
  tx: Sql,
  { name, planId, ownerId, actor, at }: NewAccount,
): Promise<{ id: string; no: number }> {
  const id = newId("acc");
  const no = await insertAccount(tx, {
    id,
    name,
    slug: id,
    logo: null,
    metadata: null,
    created_at: new Date(at).toISOString(),
    plan_id: planId,
    suspended_at: null,
  });
  await addMember(tx, { accountId: id, userId: ownerId, role: "owner", at });
  await appendAudit(tx, {
    at,
    accountNo: no,
    actor,
    action: "account.created",
    subject: id,
    details: { plan: planId },
  });
  return { id, no };
}

export const addMember = (
  tx: Sql,
  { accountId, userId, role, at }: { accountId: string; userId: string; role: string; at: number },
): Promise<void> =>
  insertMember(tx, {
    id: newId("mem"),
    account_id: accountId,
    user_id: userId,
    role,
    created_at: new Date(at).toISOString(),
  });
