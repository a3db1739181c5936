import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { endAllBut } from "./begin-session.ts";
import { findPerson, findTraces, listAccountsOf, listOwnedAlone, listPeople, removeTraces } from "./people.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly two_factor: boolean;
  readonly created_at: string;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

/** Who can sign in, and how someone ceases to. */
export function peopleService({ records, clock }: Deps) {
  const getUserId = async (email: string): Promise<string> => {
    const userId = await findUserId(records.read, email);
    if (userId === null) throw new Error(`there is no user with the e-mail address "${email.toLowerCase()}"`);
    return userId;
  };

  /** What is left of a person are ids in audit logs, which no longer lead to anybody. */
  const remove = async (userId: string, actor: string): Promise<void> => {
    const person = await findPerson(records.read, userId);
    if (!person) throw notFound();
    const { email } = person;
    const traces = await findTraces(records.scan, userId, email);
    records.noteErasure();
    await records.write(async (tx) => {
      const at = clock();
      await assertNotNeeded(tx, userId);
      for (const { no, role } of await listAccountsOf(tx, userId)) {
        const action = actor === `user:${userId}` ? "member.left" : "member.removed";
        const entry = { at, accountNo: no, actor, action, subject: userId };
        await appendAudit(tx, { ...entry, details: { role, deleted: true } });
      }
      await removeTraces(tx, traces, { userId, email });
      await endAllBut(tx, userId, null);
      await tx.deleteFrom("invitations").where("email", "=", email).execute();
      // Credentials, passkeys, the second factor, memberships and invitations by this person go with the row.
      await tx.deleteFrom("users").where("id", "=", userId).execute();
      await appendAudit(tx, { at, accountNo: null, actor, action: "user.deleted", subject: userId });
    });
  };

  return {
    async list(): Promise<readonly Person[]> {
      const people = new Map<string, Person & { accounts: { id: string; name: string; role: string }[] }>();
      for (const row of await listPeople(records.read)) {
        const { id, email, name, two_factor_enabled, created_at, account_id, account_name, role } = row;
        const known = people.get(id) ?? {
          id,
          email,
          name,
          two_factor: two_factor_enabled === 1,
          created_at,
          accounts: [],
        };
        if (account_id !== null) known.accounts.push({ id: account_id, name: account_name ?? "", role: role ?? "" });
        people.set(id, known);
      }
      return [...people.values()];
    },

    remove,

    async removeByEmail(email: string): Promise<{ id: string }> {
      const id = await getUserId(email);
      await remove(id, "operator");
      return { id };
    },

    /** For someone who has lost the authenticator app and the backup codes. The password stays, every session ends. */
    async resetTwoFactor(email: string): Promise<{ id: string }> {
      const id = await getUserId(email);
      await records.write(async (tx) => {
        const removed = await tx.deleteFrom("two_factors").where("user_id", "=", id).returning("id").execute();
        if (removed.length === 0) throw new Error(`"${email.toLowerCase()}" uses no authenticator app`);
        await tx.updateTable("users").set({ two_factor_enabled: 0 }).where("id", "=", id).execute();
        await endAllBut(tx, id, null);
        const entry = { at: clock(), accountNo: null, actor: "operator", action: "two_factor.reset", subject: id };
        await appendAudit(tx, entry);
      });
      return { id };
    },
  };
}
export type PeopleService = ReturnType<typeof peopleService>;

/** An account without an owner could be neither run nor deleted by anyone but the operator. */
async function assertNotNeeded(tx: Sql, userId: string): Promise<void> {
  const owned = await listOwnedAlone(tx, userId);
  if (owned.length === 0) return;
  const names = owned.map(({ id, name }) => `"${name}" (${id})`).join(", ");
  const [have, them] = owned.length === 1 ? ["has", "it"] : ["have", "them"];
  throw new ApiError(
    "last_owner",
    `${names} ${have} no other owner. Make someone else an owner of ${them} or delete ${them} first.`,
  );
}
