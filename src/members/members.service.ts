import { appendAudit } from "#audit/audit.service.ts";
import type { Member } from "#contract/console/account.ts";
import type { Role } from "#contract/roles.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { cancelInvitationsBy } from "./invitations.service.ts";
import { deleteMember, findMember, listMembers, type MemberRow, updateRole } from "./members.store.ts";
import { hasOtherOwner } from "./owners.ts";
import { assertMayHandle, type MemberCaller, toRole } from "./roles.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

/** Every query is limited to the caller's account. */
export function memberService({ records, clock }: Deps) {
  /** Finds the member in the account and changes them in one transaction. */
  const change = <T>(caller: MemberCaller, id: string, work: (tx: Sql, member: MemberRow) => Promise<T>): Promise<T> =>
    records.write(async (tx) => {
      const member = await findMember(tx, caller.accountId, id);
      if (!member) throw notFound();
      return work(tx, member);
    });

  return {
    list: async ({ accountId }: MemberCaller): Promise<Member[]> =>
      (await listMembers(records.read, accountId)).map(toMember),

    changeRole: (caller: MemberCaller, id: string, role: Role): Promise<Member> =>
      change(caller, id, async (tx, member) => {
        const { user_id: userId } = member;
        const before = toRole(member.role);
        assertMayHandle(caller.role, [before, role]);
        if (before !== role) {
          const at = clock();
          if (before === "owner") await assertOtherOwner(tx, caller.accountId, id);
          await updateRole(tx, id, role);
          const { accountNo, actor } = caller;
          const entry = { at, accountNo, actor, action: "member.role_changed", subject: userId };
          await appendAudit(tx, { ...entry, details: { from: before, to: role } });
          await cancelInvitationsBy(tx, caller, { userId, role, at });
        }
        return toMember({ ...member, role });
      }),

    /** Anyone may leave. Removing others takes an admin; removing owners takes an owner. */
    remove: (caller: MemberCaller, id: string): Promise<undefined> =>
      change(caller, id, async (tx, member) => {
        const { user_id: userId } = member;
        const at = clock();
        const role = toRole(member.role);
        const isSelf = userId === caller.userId;
        if (!isSelf) assertMayHandle(caller.role, [role]);
        if (role === "owner") await assertOtherOwner(tx, caller.accountId, id);
        await deleteMember(tx, id);
        const { accountNo, actor } = caller;
        const action = isSelf ? "member.left" : "member.removed";
        await appendAudit(tx, { at, accountNo, actor, action, subject: userId, details: { role } });
        await cancelInvitationsBy(tx, caller, { userId, role: null, at });
        return undefined;
      }),
  };
}
export type MemberService = ReturnType<typeof memberService>;

const toMember = (row: MemberRow): Member => ({
  id: row.id,
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  role: toRole(row.role),
  joined_at: row.created_at,
});

async function assertOtherOwner(tx: Sql, accountId: string, memberId: string): Promise<void> {
  if (await hasOtherOwner(tx, accountId, memberId)) return;
  throw new ApiError("last_owner", "This is the account's only owner. Make someone else an owner first.");
}
