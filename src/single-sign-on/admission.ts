import { createUser, findUserId, nameFromEmail } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import type { Role } from "#contract/roles.ts";
import type { Sql } from "#engines/records/schema.ts";
import { acceptInvitation, findInvitationsTo } from "#members/accept-invitation.ts";
import { findMembership } from "#members/memberships.ts";
import { applyProvidedRole } from "#members/provided-role.ts";
import { takeOverIfUnverified } from "#sign-in/take-over.ts";
import { readEmail, readName, roleOf } from "./claims.ts";
import type { IdToken } from "./id-token.ts";
import { findAccountNo, findUserOf, hasIdentityOf, insertIdentity, isMemberAnywhere } from "./identities.store.ts";

export type Admission =
  | { readonly userId: string; readonly isNew: boolean }
  | { readonly refused: SsoRefusal; readonly userId: string | null };

type Settings = Pick<SingleSignOnSettings, "issuer" | "domains" | "accountId" | "rolesClaim" | "roles">;

/** The role of people who join without role mapping; admins can change it. */
const ROLE_OF_NEWCOMERS: Role = "member";

/**
 * Finds or creates the user whom the provider means, and gives them the role it says. A user is theirs by the provider's
 * subject, never by address alone; by address only once, while it is verified and of a domain for which the operator
 * trusts the provider. What it has changed stays, even if the person is refused in the end.
 */
export async function admit(tx: Sql, settings: Settings, person: IdToken, at: number): Promise<Admission> {
  const { claims } = person;
  const identity = { issuer: settings.issuer, subject: person.subject };
  const known = await findUserOf(tx, identity);
  const address = readEmail(claims, settings.domains);
  if ("refused" in address) return { refused: address.refused, userId: known };
  const { email } = address;
  const account = await findAccount(tx, settings);
  const isMapped = settings.roles.length > 0;
  const role = isMapped ? roleOf(claims, settings.rolesClaim, settings.roles) : ROLE_OF_NEWCOMERS;

  /** Without role mapping at the first sign-in only: people who were removed since stay removed. */
  const provide = async (userId: string, isFirst: boolean): Promise<void> => {
    if (account === null || !(isMapped || isFirst)) return;
    if (!isMapped && (await findMembership(tx, userId, account.accountId)) !== null) return;
    await applyProvidedRole(tx, { account, userId, role, at });
  };

  const settle = async (userId: string): Promise<Admission> =>
    isMapped && role === null && !(await isMemberAnywhere(tx, userId))
      ? { refused: "no_role", userId }
      : { userId, isNew: false };

  if (known !== null) {
    await provide(known, false);
    return settle(known);
  }
  const holder = await findUserId(tx, email);
  if (holder !== null) {
    // The provider has given the address to another person since.
    if (await hasIdentityOf(tx, settings.issuer, holder)) return { refused: "address_taken", userId: holder };
    await takeOverIfUnverified(tx, holder);
    await insertIdentity(tx, { ...identity, userId: holder, at });
    const entry = { at, accountNo: null, actor: `user:${holder}`, action: "sso.linked", subject: holder };
    await appendAudit(tx, entry);
    await provide(holder, true);
    return settle(holder);
  }
  const invitations = await findInvitationsTo(tx, email, at);
  const mayJoin = account !== null && role !== null;
  if (invitations.length === 0 && !mayJoin) return { refused: role === null ? "no_role" : "not_invited", userId: null };
  const name = readName(claims) ?? nameFromEmail(email);
  const userId = await createUser(tx, { email, name, emailVerified: true, at, ...identity });
  for (const invitation of invitations) await acceptInvitation(tx, invitation, { userId, at });
  await provide(userId, true);
  return { userId, isNew: true };
}

interface Account {
  readonly accountId: string;
  readonly accountNo: number;
}

async function findAccount(tx: Sql, { accountId }: Settings): Promise<Account | null> {
  const accountNo = accountId === null ? null : await findAccountNo(tx, accountId);
  return accountId === null || accountNo === null ? null : { accountId, accountNo };
}
