import { findUserId } from "#accounts/new-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Member, PendingInvitation } from "#contract/console/account.ts";
import type { Role } from "#contract/roles.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { findMember, insertInvitation, listInvitations, listMembers, type MemberRow } from "./members.store.ts";
import { assertMayHandle, mayHandle, toRole } from "./roles.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Whether someone who is invited may become a user. */
  readonly takesNewUsers: boolean;
  readonly sendInvitation: (invitation: { email: string; accountName: string; url: string }) => void;
  /** Counts invitations, by account and by address, within `INVITATION_WINDOW_MS`. */
  readonly invitationWindows: RateWindows;
}

export type MemberCaller = Caller & { readonly userId: string; readonly role: Role };

const INVITATION_MS = 7 * 86_400_000;
const INVITATIONS_MAX = 100;
export const INVITATION_WINDOW_MS = 60 * 60_000;
const INVITATIONS_PER_ADDRESS = 5;
const SECRET_CHARACTERS = 32;

/** Who belongs to an account. Every look-up is confined to it. */
export function memberService(deps: Deps) {
  const { records, clock, baseUrl, takesNewUsers, sendInvitation, invitationWindows } = deps;

  const toInvitation = (row: { id: string; email: string; role: string | null; expires_at: string }) => ({
    id: row.id,
    email: row.email,
    role: toRole(row.role),
    url: `${baseUrl}/console/join/${row.id}`,
    expires_at: row.expires_at,
  });

  /** Changes one member, after the rules that hold for every such change. */
  const change = <T>(caller: MemberCaller, id: string, work: (tx: Sql, member: MemberRow) => Promise<T>): Promise<T> =>
    records.write(async (tx) => {
      const member = await findMember(tx, caller.accountId, id);
      if (!member) throw notFound();
      return work(tx, member);
    });

  const note = (tx: Sql, { accountNo, actor }: Caller, action: string, subject: string, details: object = {}) =>
    appendAudit(tx, { at: clock(), accountNo, actor, action, subject, details: { ...details } });

  /** Each may send a mail to anybody, and tells whether an address has a user. */
  const takeInvitation = (accountId: string, email: string): void => {
    const windowSeconds = INVITATION_WINDOW_MS / 1000;
    const limits = [
      [`to ${email}`, INVITATIONS_PER_ADDRESS],
      [`by ${accountId}`, INVITATIONS_MAX],
    ] as const;
    for (const [key, limit] of limits) {
      const decision = invitationWindows.take(key, limit);
      if (!decision.allowed) throw rateLimited(decision, { what: "invitations", windowSeconds });
    }
  };

  const cancel = async (tx: Sql, caller: Caller, { id, email }: { id: string; email: string }): Promise<void> => {
    await tx.deleteFrom("invitations").where("id", "=", id).execute();
    await note(tx, caller, "member.invitation_cancelled", email);
  };

  /** What someone may no longer give is taken back, or a removed admin would return by an invitation of their own. */
  const cancelInvitationsBy = async (tx: Sql, caller: Caller, userId: string, role: Role | null): Promise<void> => {
    for (const invitation of await listInvitations(tx, caller.accountId, clock())) {
      if (invitation.inviter_id !== userId) continue;
      if (role === null || !mayHandle(role, toRole(invitation.role))) await cancel(tx, caller, invitation);
    }
  };

  return {
    async list({ accountId, role }: MemberCaller): Promise<{ members: Member[]; invitations: PendingInvitation[] }> {
      const rows = await listMembers(records.read, accountId);
      const pending = await listInvitations(records.read, accountId, clock());
      // Whoever has the id of an invitation may join by it: only those see it who could give the role themselves.
      const shown = pending.filter((invitation) => mayHandle(role, toRole(invitation.role)));
      return { members: rows.map(toMember), invitations: shown.map(toInvitation) };
    },

    async invite(caller: MemberCaller, body: { email: string; role: Role }): Promise<PendingInvitation> {
      assertMayHandle(caller.role, [body.role]);
      const email = body.email.toLowerCase();
      takeInvitation(caller.accountId, email);
      const at = clock();
      const row = {
        // Whoever has it may join, so it is drawn, not counted.
        id: `inv_${randomBase62(SECRET_CHARACTERS)}`,
        account_id: caller.accountId,
        email,
        role: body.role,
        status: "pending",
        expires_at: new Date(at + INVITATION_MS).toISOString(),
        created_at: new Date(at).toISOString(),
        inviter_id: caller.userId,
      };
      const accountName = await records.write(async (tx) => {
        const userId = await findUserId(tx, email);
        if (userId === null && !takesNewUsers) throw takesNobody();
        const members = await listMembers(tx, caller.accountId);
        if (members.some(({ user_id }) => user_id === userId)) {
          throw new ApiError("already_exists", "This person belongs to the account already.", { field: "email" });
        }
        const pending = await listInvitations(tx, caller.accountId, at);
        if (pending.length >= INVITATIONS_MAX) throw tooMany();
        const replaced = pending.filter((invitation) => invitation.email === email);
        assertMayHandle(
          caller.role,
          replaced.map(({ role }) => toRole(role)),
        );
        const name = await insertInvitation(tx, row);
        await note(tx, caller, "member.invited", email, { role: body.role });
        return name;
      });
      const invitation = toInvitation(row);
      sendInvitation({ email, accountName, url: invitation.url });
      return invitation;
    },

    async cancelInvitation(caller: MemberCaller, id: string): Promise<undefined> {
      await records.write(async (tx) => {
        const pending = await listInvitations(tx, caller.accountId, clock());
        const found = pending.find((one) => one.id === id);
        if (!found) throw notFound();
        assertMayHandle(caller.role, [toRole(found.role)]);
        await cancel(tx, caller, found);
      });
      return undefined;
    },

    changeRole: (caller: MemberCaller, id: string, role: Role): Promise<Member> =>
      change(caller, id, async (tx, member) => {
        const before = toRole(member.role);
        assertMayHandle(caller.role, [before, role]);
        if (before !== role) {
          if (before === "owner") await assertOtherOwner(tx, caller.accountId, id);
          await tx.updateTable("members").set({ role }).where("id", "=", id).execute();
          await note(tx, caller, "member.role_changed", member.user_id, { from: before, to: role });
          await cancelInvitationsBy(tx, caller, member.user_id, role);
        }
        return toMember({ ...member, role });
      }),

    /** Everyone may leave; to remove others takes an admin, and an owner to remove owners. */
    remove: (caller: MemberCaller, id: string): Promise<undefined> =>
      change(caller, id, async (tx, member) => {
        const role = toRole(member.role);
        const isSelf = member.user_id === caller.userId;
        if (!isSelf) assertMayHandle(caller.role, [role]);
        if (role === "owner") await assertOtherOwner(tx, caller.accountId, id);
        await tx.deleteFrom("members").where("id", "=", id).execute();
        await note(tx, caller, isSelf ? "member.left" : "member.removed", member.user_id, { role });
        await cancelInvitationsBy(tx, caller, member.user_id, null);
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
  const members = await listMembers(tx, accountId);
  if (members.some(({ id, role }) => role === "owner" && id !== memberId)) return;
  throw new ApiError("last_owner", "This is the account's only owner. Make someone else an owner first.");
}

const takesNobody = (): ApiError =>
  validationFailed([
    bodyProblem(
      "email",
      "invalid_format",
      "Nobody with this address uses this server, and its operator lets no new users in (KURZ_SIGNUP).",
    ),
  ]);

const tooMany = (): ApiError =>
  new ApiError("plan_limit", `At most ${INVITATIONS_MAX} invitations can be open at a time.`, {
    feature: "invitations",
    limit: INVITATIONS_MAX,
  });
