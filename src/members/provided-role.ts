import { addMember } from "#accounts/new-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { cancelInvitationsBy } from "./invitations.service.ts";
import { deleteMember, findMemberByUser, type MemberRow, updateRole } from "./members.store.ts";
import { hasOtherOwner } from "./owners.ts";
import { toRole } from "./roles.ts";

interface Provided {
  readonly account: { readonly accountId: string; readonly accountNo: number };
  readonly userId: string;
  /** `null`: none, so they are no member. */
  readonly role: Role | null;
  readonly at: number;
}

/**
 * Makes someone in an account what their sign-in provider says: they join, get another role, or are removed. The last
 * owner stays one. Returns whether they are a member now.
 */
export async function applyProvidedRole(tx: Sql, provided: Provided): Promise<boolean> {
  const { account, userId, role } = provided;
  const member = await findMemberByUser(tx, account.accountId, userId);
  if (!member) {
    if (role !== null) await join(tx, { ...provided, role });
    return role !== null;
  }
  const before = toRole(member.role);
  if (before === role) return true;
  if (before === "owner" && !(await hasOtherOwner(tx, account.accountId, member.id))) return true;
  await change(tx, member, provided);
  return role !== null;
}

async function join(
  tx: Sql,
  { account: { accountId, accountNo }, userId, role, at }: Provided & { readonly role: Role },
): Promise<void> {
  await addMember(tx, { accountId, userId, role, at });
  const entry = { at, accountNo, actor: `user:${userId}`, action: "member.joined", subject: userId };
  await appendAudit(tx, { ...entry, details: { role, by: "single sign-on" } });
}

async function change(tx: Sql, member: MemberRow, { account, userId, role, at }: Provided): Promise<void> {
  const before = toRole(member.role);
  if (role === null) await deleteMember(tx, member.id);
  else await updateRole(tx, member.id, role);
  await appendAudit(tx, {
    at,
    accountNo: account.accountNo,
    actor: "system",
    action: role === null ? "member.removed" : "member.role_changed",
    subject: userId,
    details: { ...(role === null ? { role: before } : { from: before, to: role }), by: "single sign-on" },
  });
  await cancelInvitationsBy(tx, { ...account, actor: "system" }, { userId, role, at });
}
