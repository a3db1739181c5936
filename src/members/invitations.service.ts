import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { PendingInvitation } from "#contract/console/account.ts";
import type { Role } from "#contract/roles.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { invitationIdOf, newInvitationSecret } from "./invitation-secret.ts";
import { deleteInvitation, type InvitationRow, insertInvitation, listPending } from "./invitations.store.ts";
import { findMemberByUser } from "./members.store.ts";
import { assertMayHandle, type MemberCaller, mayHandle, toRole } from "./roles.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Of `INVITATIONS_WINDOW_MS`. */
  readonly windows: RateWindows;
  /** Whether an invitation may create a user. */
  readonly allowsNewUsers: boolean;
  readonly send: (invitation: { email: string; accountName: string; url: string }) => void;
}

const LIFE_MS = 7 * 86_400_000;
const OPEN_MAX = 100;
const WINDOW_SECONDS = 3600;
export const INVITATIONS_WINDOW_MS = WINDOW_SECONDS * 1000;
const PER_ACCOUNT_MAX = 100;
const PER_ADDRESS_MAX = 5;

/** People manage the invitations to roles they could assign themselves. */
export function invitationService({ records, clock, baseUrl, windows, allowsNewUsers, send }: Deps) {
  /** Each invitation may send a mail to anyone, and reveals whether an address is registered. */
  const takeRate = async (key: string, limit: number): Promise<void> => {
    const decision = await windows.take(key, limit);
    if (!decision.allowed) throw rateLimited(decision, { what: "invitations", windowSeconds: WINDOW_SECONDS });
  };

  const linkOf = (secret: string): string => `${baseUrl}/console/join/${secret}`;

  /** An invitation that the caller could have sent. */
  const getOwn = async (sql: Sql, caller: MemberCaller, id: string): Promise<InvitationRow> => {
    const pending = await listPending(sql, caller.accountId, clock());
    const found = pending.find((row) => invitationIdOf(row.id) === id);
    if (!found) throw notFound();
    assertMayHandle(caller.role, [toRole(found.role)]);
    return found;
  };

  return {
    async list({ accountId, role }: MemberCaller): Promise<PendingInvitation[]> {
      const pending = await listPending(records.read, accountId, clock());
      return pending.map(toPending).filter((invitation) => mayHandle(role, invitation.role));
    },

    async invite(caller: MemberCaller, body: { email: string; role: Role }) {
      assertMayHandle(caller.role, [body.role]);
      const email = body.email.toLowerCase();
      await takeRate(`to ${email}`, PER_ADDRESS_MAX);
      await takeRate(`by ${caller.accountId}`, PER_ACCOUNT_MAX);
      const at = clock();
      const row = {
        id: newInvitationSecret(),
        account_id: caller.accountId,
        email,
        role: body.role,
        status: "pending",
        expires_at: new Date(at + LIFE_MS).toISOString(),
        created_at: new Date(at).toISOString(),
        inviter_id: caller.userId,
      };
      const accountName = await records.write(async (tx) => {
        const userId = await findUserId(tx, email);
        if (userId === null && !allowsNewUsers) throw signUpClosed();
        if (userId !== null && (await findMemberByUser(tx, caller.accountId, userId))) {
          throw new ApiError("already_exists", "This person is already a member of the account.", { field: "email" });
        }
        const pending = (await listPending(tx, caller.accountId, at)).map(toPending);
        if (pending.length >= OPEN_MAX) throw tooMany();
        const replaced = pending.filter((invitation) => invitation.email === email).map(({ role }) => role);
        assertMayHandle(caller.role, replaced);
        const name = await insertInvitation(tx, row);
        const { accountNo, actor } = caller;
        const entry = { at, accountNo, actor, action: "member.invited", subject: email };
        await appendAudit(tx, { ...entry, details: { role: body.role } });
        return name;
      });
      const url = linkOf(row.id);
      send({ email, accountName, url });
      return { ...toPending(row), url };
    },

    getLink: async (caller: MemberCaller, id: string): Promise<{ url: string }> => ({
      url: linkOf((await getOwn(records.read, caller, id)).id),
    }),

    async cancel(caller: MemberCaller, id: string): Promise<undefined> {
      await records.write(async (tx) => {
        await cancelOne(tx, caller, { ...(await getOwn(tx, caller, id)), at: clock() });
      });
      return undefined;
    },
  };
}
export type InvitationService = ReturnType<typeof invitationService>;

/** Leaves out the link, which is a secret. */
const toPending = (row: Pick<InvitationRow, "id" | "email" | "role" | "expires_at">): PendingInvitation => ({
  id: invitationIdOf(row.id),
  email: row.email,
  role: toRole(row.role),
  expires_at: row.expires_at,
});

/**
 * Cancels the invitations someone could no longer send with their new role, or none: a removed admin could otherwise
 * return through an invitation of their own.
 */
export async function cancelInvitationsBy(
  tx: Sql,
  caller: Pick<Caller, "accountId" | "accountNo" | "actor">,
  { userId, role, at }: { userId: string; role: Role | null; at: number },
): Promise<void> {
  for (const invitation of await listPending(tx, caller.accountId, at)) {
    if (invitation.inviter_id !== userId) continue;
    if (role === null || !mayHandle(role, toRole(invitation.role))) await cancelOne(tx, caller, { ...invitation, at });
  }
}

async function cancelOne(
  tx: Sql,
  { accountNo, actor }: Pick<Caller, "accountNo" | "actor">,
  { id, email, at }: { id: string; email: string; at: number },
): Promise<void> {
  await deleteInvitation(tx, id);
  await appendAudit(tx, { at, accountNo, actor, action: "member.invitation_cancelled", subject: email });
}

const signUpClosed = (): ApiError =>
  validationFailed([
    bodyProblem(
      "email",
      "invalid_format",
      "This address has no user, and new users can't sign up on this server (KURZ_SIGNUP).",
    ),
  ]);

const tooMany = (): ApiError =>
  new ApiError("plan_limit", `At most ${OPEN_MAX} invitations can be open at a time.`, {
    feature: "invitations",
    limit: OPEN_MAX,
  });
