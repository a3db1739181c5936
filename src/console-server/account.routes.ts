import type { AccountExport } from "#account-export/account-export.service.ts";
import { markAccountRemoved } from "#account-removal/account-removal.ts";
import type { AccountService } from "#accounts/accounts.service.ts";
import { listAuditForAccount } from "#audit/list-audit.ts";
import {
  cancelInvitation,
  changeRole,
  createToken,
  deleteAccount,
  downloadAccount,
  getAccount,
  getInvitationLink,
  inviteMember,
  listAudit,
  listMembers,
  listTokens,
  removeMember,
  revokeToken,
  updateAccount,
} from "#contract/console/account.ts";
import { requireSingleSignOn } from "#contract/console/single-sign-on.ts";
import { type Route, route } from "#http/route.ts";
import { notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import type { InvitationService } from "#members/invitations.service.ts";
import type { MemberService } from "#members/members.service.ts";
import { ssoRequired } from "./authorize.ts";
import type { ConsoleCaller } from "./console-caller.ts";
import { type AccountDeps, describeAccount } from "./describe-account.ts";

interface Deps extends AccountDeps {
  readonly clock: Clock;
  readonly accounts: AccountService;
  readonly members: MemberService;
  readonly invitations: InvitationService;
  readonly accountExport: AccountExport;
}

type Me = ConsoleCaller;

const DAY_MS = 86_400_000;

export const accountRoutes = (deps: Deps): readonly Route<Me>[] => {
  const { accounts, members, invitations, accountExport } = deps;
  return [
    route(getAccount, (me: Me) => describeAccount(deps, me)),
    route(updateAccount, async (me: Me, { body }) => {
      await accounts.rename(me, body.name);
      return describeAccount(deps, me);
    }),
    route(requireSingleSignOn, async (me: Me, { body }) => {
      // So that nobody locks themselves out, or turns on what isn't there.
      if (body.required && me.signedInBy !== "sso") throw ssoRequired();
      await accounts.requireSso(me.accountId, body.required, me.actor);
      return describeAccount(deps, me);
    }),
    route(downloadAccount, (me: Me) => accountExport.download(me, { withEndpoints: true })),
    route(deleteAccount, async (me: Me) => {
      await markAccountRemoved(deps, me);
      return undefined;
    }),
    route(listMembers, async (me: Me) => ({
      members: await members.list(me),
      invitations: await invitations.list(me),
    })),
    route(inviteMember, (me: Me, { body }) => invitations.invite(me, body)),
    route(getInvitationLink, (me: Me, { params }) => invitations.getLink(me, params.id)),
    route(cancelInvitation, (me: Me, { params }) => invitations.cancel(me, params.id)),
    route(changeRole, (me: Me, { params, body }) => members.changeRole(me, params.id, body.role)),
    route(removeMember, (me: Me, { params }) => members.remove(me, params.id)),
    ...tokenRoutes(deps),
    route(listAudit, ({ accountNo }: Me, { query }) => listAuditForAccount(deps.records, accountNo, query)),
  ];
};

/** Tokens belong to the account and outlive the person who created them. */
const tokenRoutes = ({ tokens }: Deps): readonly Route<Me>[] => [
  route(listTokens, async ({ accountId }: Me) => ({
    data: (await tokens.list(accountId)).map((token) => ({ ...token, scopes: [...token.scopes] })),
  })),
  route(createToken, ({ accountId, actor }: Me, { body }) =>
    tokens.create({
      accountId,
      actor,
      name: body.name,
      scopes: [...new Set(body.scopes)],
      expiresInMs: body.expires_in_days === null ? null : body.expires_in_days * DAY_MS,
      rateLimit: null,
    }),
  ),
  route(revokeToken, async ({ accountNo, actor }: Me, { params }) => {
    if (!(await tokens.revoke(params.id, { actor, accountNo }))) throw notFound();
    return undefined;
  }),
];
