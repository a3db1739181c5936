import { addMember } from "#accounts/new-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { findPendingWithAccount, listPendingTo, markAccepted, type PendingWithAccount } from "./invitations.store.ts";
import { findMemberByUser } from "./members.store.ts";
import { toRole } from "./roles.ts";

export interface LiveInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly accountNo: number;
  readonly accountName: string;
  readonly email: string;
  readonly role: Role;
}

/** An invitation that was not used, revoked or left to expire. */
export async function findInvitation(sql: Sql, id: string, now: number): Promise<LiveInvitation | null> {
  const row = await findPendingWithAccount(sql, id, now);
  return row ? toLive(row) : null;
}

/** All that wait for an address. */
export const findInvitationsTo = async (sql: Sql, email: string, now: number): Promise<readonly LiveInvitation[]> =>
  (await listPendingTo(sql, email, now)).map(toLive);

const toLive = (row: PendingWithAccount): LiveInvitation => ({
  id: row.id,
  accountId: row.account_id,
  accountNo: row.no,
  accountName: row.name,
  email: row.email,
  role: toRole(row.role),
});

/** Someone who is already a member keeps their role. */
export async function acceptInvitation(
  tx: Sql,
  invitation: LiveInvitation,
  { userId, at }: { userId: string; at: number },
): Promise<void> {
  await markAccepted(tx, invitation.id);
  if (await findMemberByUser(tx, invitation.accountId, userId)) return;
  await addMember(tx, { accountId: invitation.accountId, userId, role: invitation.role, at });
  await appendAudit(tx, {
    at,
    accountNo: invitation.accountNo,
    actor: `user:${userId}`,
    action: "member.joined",
    subject: userId,
    details: { role: invitation.role },
  });
}
