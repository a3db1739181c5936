import { addMember } from "#accounts/new-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { toRole } from "./roles.ts";

export interface LiveInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly accountNo: number;
  readonly accountName: string;
  readonly email: string;
  readonly role: Role;
}

/** An invitation that was neither used nor taken back nor outlived. */
export async function findInvitation(sql: Sql, id: string, now: number): Promise<LiveInvitation | null> {
  const row = await sql
    .selectFrom("invitations")
    .innerJoin("accounts", "accounts.id", "invitations.account_id")
    .select(["invitations.id", "invitations.email", "invitations.role", "invitations.account_id"])
    .select(["accounts.no", "accounts.name"])
    .where("invitations.id", "=", id)
    .where("invitations.status", "=", "pending")
    .where("invitations.expires_at", ">", new Date(now).toISOString())
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    accountId: row.account_id,
    accountNo: row.no,
    accountName: row.name,
    email: row.email,
    role: toRole(row.role),
  };
}

/** Someone who belongs to the account already keeps the role they have. */
export async function acceptInvitation(
  tx: Sql,
  invitation: LiveInvitation,
  { userId, at }: { userId: string; at: number },
): Promise<void> {
  await tx.updateTable("invitations").set({ status: "accepted" }).where("id", "=", invitation.id).execute();
  const member = await tx
    .selectFrom("members")
    .select("id")
    .where("account_id", "=", invitation.accountId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (member) return;
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
