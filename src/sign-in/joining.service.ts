import { createAccount } from "#accounts/new-account.ts";
import { findPasswordProblem, hashPassword } from "#accounts/password.ts";
import { createUser, findUserId, type NewUser } from "#accounts/users.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { acceptInvitation, findInvitation, type LiveInvitation } from "#members/accept-invitation.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { openSession } from "./open-session.ts";
import type { Requester, SignedInRequester } from "./requester.ts";
import { completeSession } from "./session-lifecycle.ts";
import { forgetSetUpCode, isSetUpCode } from "./set-up-code.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { strangersTurn } from "./strangers.ts";
import { hasUsers } from "./users.store.ts";

interface JoiningDeps extends SignInDeps {
  readonly plans: PlanCatalogue;
  readonly signUp: "closed" | "invite" | "open";
  /** The file with the operator's one-time code. */
  readonly setUpCodePath: string;
}

interface Person {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** How people become users: with the set-up code, by invitation, or by sign-up if it is open. */
export function joiningService(deps: JoiningDeps) {
  const { records, clock, plans, signUp, setUpCodePath, throttle } = deps;

  const addUser = async (tx: Sql, user: NewUser): Promise<string> => {
    if (await findUserId(tx, user.email)) {
      throw new ApiError("already_exists", "This e-mail address is already registered. Sign in instead.", {
        field: "email",
      });
    }
    return createUser(tx, user);
  };

  const enter = async (requester: Requester, userId: string, method: string): Promise<void> => {
    await completeSession(deps, requester, {
      by: { id: await openSession(deps, requester, userId) },
      action: "session.started",
      details: { method },
      signedInBy: "password",
    });
  };

  const openAccount = (tx: Sql, name: string, ownerId: string, at: number) =>
    createAccount(tx, { name, planId: plans.defaultPlan.id, ownerId, actor: `user:${ownerId}`, at });

  const getInvitation = async (sql: Sql, id: string): Promise<LiveInvitation> => {
    const invitation = await findInvitation(sql, id, clock());
    if (!invitation) throw notFound();
    return invitation;
  };

  return {
    isSetUp: () => hasUsers(records.read),

    async setUp(requester: Requester, person: Person & { code: string; account_name: string }): Promise<undefined> {
      const { tooMany, succeed } = await throttle.tryFrom(requester.clientAddress, "set-up");
      if ((await hasUsers(records.read)) || !isSetUpCode(setUpCodePath, person.code)) throw tooMany ?? wrongCode();
      await succeed();
      const passwordHash = await hashNew(person);
      const at = clock();
      const userId = await records.write(async (tx) => {
        if (await hasUsers(tx)) throw wrongCode();
        const id = await addUser(tx, { ...toUser(person), passwordHash, emailVerified: true, at });
        await openAccount(tx, person.account_name, id, at);
        return id;
      });
      forgetSetUpCode(setUpCodePath);
      await enter(requester, userId, "set-up");
      return undefined;
    },

    async signUp(
      requester: Requester,
      person: Person & { account_name?: string | undefined; invitation?: string | undefined },
    ): Promise<undefined> {
      const { invitation: invitationId, account_name } = person;
      if (signUp === "closed" || (signUp === "invite" && invitationId === undefined)) throw closed();
      if (invitationId === undefined && account_name === undefined) {
        throw validationFailed([bodyProblem("account_name", "required", "Give the account a name.")]);
      }
      const invitation = invitationId === undefined ? null : await getInvitation(records.read, invitationId);
      if (invitation && invitation.email !== person.email.toLowerCase()) throw notFound();
      // Sign-up reveals whether an address is registered, so it is rate-limited like sign-in. Without an invitation a
      // success counts, too, or a program could create any number of accounts.
      const succeed = await throttle.beginFrom(requester.clientAddress, "sign-up");
      const passwordHash = await strangersTurn(() => hashNew(person));
      const at = clock();
      const userId = await records.write(async (tx) => {
        // An invitation verifies nothing: the person who sent it has the link, too.
        const id = await addUser(tx, { ...toUser(person), passwordHash, emailVerified: false, at });
        if (invitationId !== undefined) {
          await acceptInvitation(tx, await getInvitation(tx, invitationId), { userId: id, at });
        } else if (account_name !== undefined) await openAccount(tx, account_name, id, at);
        return id;
      });
      if (invitation) await succeed();
      await enter(requester, userId, "sign-up");
      return undefined;
    },

    async describeInvitation(id: string) {
      const { accountName, email, role } = await getInvitation(records.read, id);
      const has_user = (await findUserId(records.read, email)) !== null;
      return { id, account_name: accountName, email, role, has_user };
    },

    async acceptInvitation({ session }: SignedInRequester, id: string): Promise<undefined> {
      await records.write(async (tx) => {
        const invitation = await getInvitation(tx, id);
        if (invitation.email !== session.email.toLowerCase()) throw notFound();
        await acceptInvitation(tx, invitation, { userId: session.userId, at: clock() });
      });
      return undefined;
    },
  };
}
export type JoiningService = ReturnType<typeof joiningService>;

const toUser = ({ email, name }: Person) => ({ email: email.toLowerCase(), name });

async function hashNew({ password, email }: Person): Promise<string> {
  assertGoodPassword(password, email);
  return hashPassword(password);
}

/** The rules a schema can't express. */
export function assertGoodPassword(password: string, email: string): void {
  const problem = findPasswordProblem(password, email);
  if (problem === null) return;
  const message = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  throw validationFailed([bodyProblem("password", "invalid_format", message)]);
}

const wrongCode = (): ApiError =>
  validationFailed([
    bodyProblem("code", "invalid_format", "This code is wrong. The server printed the right one when it started."),
  ]);

const closed = (): ApiError => new ApiError("not_found", "New users can't sign up on this server.");
