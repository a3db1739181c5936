import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { deleteIdentities, deleteTwoFactor } from "./credentials.store.ts";
import { endAllBut } from "./session-lifecycle.ts";
import {
  deleteInvitationsTo,
  deleteUser,
  findTraces,
  findUser,
  listAccountsOf,
  listOwnedAlone,
  listUsers,
  removeTraces,
} from "./users.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

export interface UserSummary {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly two_factor: boolean;
  readonly created_at: string;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

/** Lists and removes the people who can sign in. */
export function userService({ records, clock }: Deps) {
  const getUserId = async (email: string): Promise<string> => {
    const userId = await findUserId(records.read, email);
    if (userId === null) throw new Error(`there is no user with the e-mail address "${email.toLowerCase()}"`);
    return userId;
  };

  /** Only the id stays, in audit logs, where it no longer leads to anyone. */
  const remove = async (userId: string, actor: string): Promise<void> => {
    const user = await findUser(records.read, userId);
    if (!user) throw notFound();
    const { email } = user;
    const traces = await findTraces(records.scan, userId, email);
    records.noteErasure();
    await records.write(async (tx) => {
      const at = clock();
      await assertNotLastOwner(tx, userId);
      for (const { no, role } of await listAccountsOf(tx, userId)) {
        const action = actor === `user:${userId}` ? "member.left" : "member.removed";
        const entry = { at, accountNo: no, actor, action, subject: userId };
        await appendAudit(tx, { ...entry, details: { role, deleted: true } });
      }
      await removeTraces(tx, traces, { userId, email });
      await endAllBut(tx, userId, null);
      await deleteInvitationsTo(tx, email);
      await deleteUser(tx, userId);
      await appendAudit(tx, { at, accountNo: null, actor, action: "user.deleted", subject: userId });
    });
  };

  return {
    async list(): Promise<readonly UserSummary[]> {
      const users = new Map<string, UserSummary & { accounts: { id: string; name: string; role: string }[] }>();
      for (const row of await listUsers(records.read)) {
        const { id, email, name, two_factor_enabled, created_at, account_id, account_name, role } = row;
        const known = users.get(id) ?? {
          id,
          email,
          name,
          two_factor: two_factor_enabled === 1,
          created_at,
          accounts: [],
        };
        if (account_id !== null) known.accounts.push({ id: account_id, name: account_name ?? "", role: role ?? "" });
        users.set(id, known);
      }
      return [...users.values()];
    },

    remove,

    async removeByEmail(email: string): Promise<{ id: string }> {
      const id = await getUserId(email);
      await remove(id, "operator");
      return { id };
    },

    /** For someone who lost both authenticator app and backup codes. Keeps the password and ends every session. */
    async resetTwoFactor(email: string): Promise<{ id: string }> {
      const id = await getUserId(email);
      await records.write(async (tx) => {
        if (!(await deleteTwoFactor(tx, id))) throw new Error(`"${email.toLowerCase()}" has no authenticator app`);
        await endAllBut(tx, id, null);
        const entry = { at: clock(), accountNo: null, actor: "operator", action: "two_factor.reset", subject: id };
        await appendAudit(tx, entry);
      });
      return { id };
    },

    /** For someone whom the provider knows under another subject by now. Ends every session. */
    async forgetSso(email: string): Promise<{ id: string }> {
      const id = await getUserId(email);
      await records.write(async (tx) => {
        if (!(await deleteIdentities(tx, id))) throw new Error(`"${email.toLowerCase()}" never used single sign-on`);
        await endAllBut(tx, id, null);
        await appendAudit(tx, {
          at: clock(),
          accountNo: null,
          actor: "operator",
          action: "sso.forgotten",
          subject: id,
        });
      });
      return { id };
    },
  };
}
export type UserService = ReturnType<typeof userService>;

/** Only the operator could manage or delete an account without an owner. */
async function assertNotLastOwner(tx: Sql, userId: string): Promise<void> {
  const owned = await listOwnedAlone(tx, userId);
  if (owned.length === 0) return;
  const names = owned.map(({ id, name }) => `"${name}" (${id})`).join(", ");
  const [have, them] = owned.length === 1 ? ["has", "it"] : ["have", "them"];
  throw new ApiError(
    "last_owner",
    `${names} ${have} no other owner. Make someone else an owner of ${them} or delete ${them} first.`,
  );
}
