import { createUser, findUserId, hasIdentity, nameFromEmail } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { acceptInvitation, findInvitation, type LiveInvitation } from "#members/accept-invitation.ts";
import { findMembership } from "#members/memberships.ts";
import { applyProvidedRole } from "#members/provided-role.ts";
import { takeOverIfUnverified } from "#sign-in/take-over.ts";
import { readEmail, readName, roleOf } from "./claims.ts";
import type { IdToken } from "./id-token.ts";
import { findAccountNo, findUserOf, insertIdentity, isMemberAnywhere } from "./identities.store.ts";

export type Admission =
  | { readonly userId: string; readonly isNew: boolean }
  | { readonly refused: SsoRefusal; readonly userId: string | null };

type Settings = Pick<SingleSignOnSettings, "issuer" | "domains" | "accountId" | "rolesClaim" | "roles">;

interface Arrival {
  readonly person: IdToken;
  /** Of the invitation whose link the person has opened. */
  readonly invitationId: string | null;
  readonly at: number;
}

/** The role of people who join without role mapping; admins can change it. */
const ROLE_OF_NEWCOMERS: Role = "member";

/**
 * Finds or creates the user whom the provider means, and gives them the role it says. A user is theirs by the provider's
 * subject, never by address alone; by address only once, while it is verified and of a domain for which the operator
 * trusts the provider. What it has changed stays, even if the person is refused in the end.
 */
export async function admit(tx: Sql, settings: Settings, arrival: Arrival): Promise<Admission> {
  const { person, at } = arrival;
  const { claims } = person;
  const identity = { issuer: settings.issuer, subject: person.subject };
  const known = await findUserOf(tx, identity);
  const address = readEmail(claims, settings.domains);
  if ("refused" in address) return { refused: address.refused, userId: known };
  const { email } = address;
  const account = await findAccount(tx, settings);
  const isMapped = settings.roles.length > 0;
  const role = isMapped ? roleOf(claims, settings.rolesClaim, settings.roles) : ROLE_OF_NEWCOMERS;
  const invitation = await findInvitationFor(tx, email, arrival);
  const isForHome = invitation !== null && invitation.accountId === account?.accountId;
  // Where the provider decides about roles, an invitation decides nothing.
  const isInvited = invitation !== null && !(isForHome && isMapped);

  /** Without role mapping at the first sign-in only: people who were removed since stay removed. */
  const provide = async (userId: string, isFirst: boolean): Promise<void> => {
    if (account === null || !(isMapped || isFirst)) return;
    if (!isMapped && (await findMembership(tx, userId, account.accountId)) !== null) return;
    await applyProvidedRole(tx, { account, userId, role, at });
  };

  const settle = async (userId: string): Promise<Admission> =>
    isMapped && role === null && !isInvited && !(await isMemberAnywhere(tx, userId))
      ? { refused: "no_role", userId }
      : { userId, isNew: false };

  if (known !== null) {
    await provide(known, false);
    return settle(known);
  }
  const holder = await findUserId(tx, email);
  if (holder !== null) {
    const removed = await takeOverIfUnverified(tx, holder);
    // The provider has given the address to another person since.
    if (await hasIdentity(tx, settings.issuer, holder)) return { refused: "address_taken", userId: holder };
    await insertIdentity(tx, { ...identity, userId: holder, at });
    const entry = { at, accountNo: null, actor: `user:${holder}`, action: "sso.linked", subject: holder };
    await appendAudit(tx, { ...entry, details: removed === null ? {} : { taken_over: true, removed } });
    await provide(holder, true);
    return settle(holder);
  }
  const mayJoin = account !== null && role !== null;
  if (!isInvited && !mayJoin) return { refused: role === null ? "no_role" : "not_invited", userId: null };
  const name = readName(claims) ?? nameFromEmail(email);
  const userId = await createUser(tx, { email, name, emailVerified: true, at, ...identity });
  const entry = { at, accountNo: null, actor: `user:${userId}`, action: "user.created", subject: userId };
  await appendAudit(tx, { ...entry, details: { by: "single sign-on" } });
  const accept = async (): Promise<void> => {
    if (invitation) await acceptInvitation(tx, invitation, { userId, at });
  };
  // The account for newcomers comes first, with the role of an invitation to it, if there is one.
  if (isForHome) await accept();
  await provide(userId, true);
  if (!isForHome) await accept();
  return { userId, isNew: true };
}

/** Only the one that the person has opened: anyone could invite them into an account. */
async function findInvitationFor(
  tx: Sql,
  email: string,
  { invitationId, at }: Arrival,
): Promise<LiveInvitation | null> {
  const found = invitationId === null ? null : await findInvitation(tx, invitationId, at);
  return found?.email === email ? found : null;
}

interface Account {
  readonly accountId: string;
  readonly accountNo: number;
}

async function findAccount(tx: Sql, { accountId }: Settings): Promise<Account | null> {
  const accountNo = accountId === null ? null : await findAccountNo(tx, accountId);
  return accountId === null || accountNo === null ? null : { accountId, accountNo };
}
