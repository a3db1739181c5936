import { appendAudit } from "#audit/audit.service.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { isAtLeast, type Role } from "#contract/roles.ts";
import type { Scope } from "#contract/scopes.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import type { Records } from "#engines/records/records.ts";
import type { Authorize } from "#http/authorize.ts";
import { rateLimited } from "#http/rate-limit.ts";
import type { RequestContext } from "#http/request-context.ts";
import { assertSameSite, isSafe } from "#http/same-site.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { networkOf } from "#kernel/network-address.ts";
import { findMembership } from "#members/memberships.ts";
import { assertRole } from "#members/roles.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import type { Requester, SignedInRequester } from "#sign-in/requester.ts";
import { isFreshSudo } from "#sign-in/session-lifecycle.ts";
import type { ConsoleCaller } from "./console-caller.ts";

/** Who sent a request, and the account it is about, if any. */
export interface ConsoleAccess {
  readonly requester: Requester;
  readonly member: ConsoleCaller | null;
}

export interface AuthorizeDeps {
  readonly readRequester: (request: Request, context: RequestContext) => Promise<Requester>;
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Counts requests per session, or per network if nobody is signed in. */
  readonly rateWindows: RateWindows;
}

export const ACCOUNT_HEADER = "kurz-account";
const REQUESTS_PER_MINUTE = 600;

/** By session: checks the origin, then who it is, then what they may do in the account on their screen. */
export const authorizeConsole =
  (deps: AuthorizeDeps): Authorize<ConsoleAccess> =>
  async (endpoint, request, context) => {
    assertSameSite(request, deps.baseUrl);
    const requester = await deps.readRequester(request, context);
    if (endpoint.open) {
      await takeRate(deps, requester.session ? `open ${requester.session.id}` : networkOf(requester.clientAddress));
      return { requester, member: null };
    }
    const signedIn = assertSignedIn(requester);
    // Apart: the pictures of a long list must not use up what is left for work.
    await takeRate(deps, endpoint.binary ? `pictures ${signedIn.session.id}` : signedIn.session.id);
    const member = isAboutAccount(endpoint) ? await authorizeMember(deps, endpoint, request, signedIn) : null;
    if (member) context.accountId = member.accountId;
    // An operation that doesn't say counts as sensitive.
    if (endpoint.sudo?.required !== false && !isFreshSudo(signedIn.session.sudoUntil, deps.clock())) {
      throw new ApiError(
        "sudo_required",
        "Enter your password (with a code, if you use an authenticator app), or use a passkey or single sign-on again to continue.",
      );
    }
    return { requester, member };
  };

export function assertSignedIn(requester: Requester): SignedInRequester {
  const { session } = requester;
  if (!session) throw new ApiError("not_signed_in", "Sign in first.");
  return { ...requester, session };
}

/** The API's own operations have a scope instead of a role. */
const isAboutAccount = ({ role, path }: Endpoint): boolean => role !== undefined || !path.startsWith("/console/");

async function takeRate({ rateWindows }: AuthorizeDeps, key: string): Promise<void> {
  const decision = await rateWindows.take(key, REQUESTS_PER_MINUTE);
  if (!decision.allowed) throw rateLimited(decision);
}

async function authorizeMember(
  deps: AuthorizeDeps,
  endpoint: Endpoint,
  request: Request,
  { session }: SignedInRequester,
): Promise<ConsoleCaller> {
  const accountId = accountIdOf(endpoint, request);
  const found = await findMembership(deps.records.read, session.userId, accountId);
  if (!found) throw notFound();
  if (found.ssoRequired && session.signedInBy !== "sso") throw ssoRequired();
  const { accountNo, role } = found;
  const actor = `user:${session.userId}`;
  const required = endpoint.role ?? roleFor(endpoint.scope);
  if (!isAtLeast(role, required)) {
    // Logging each refusal would let anyone fill the disk; once a minute is enough to notice.
    const refusal = await deps.rateWindows.take(`${actor} ${accountId} ${endpoint.id}`, 1);
    if (refusal.allowed) {
      const entry = { at: deps.clock(), accountNo, actor, action: "access.refused", subject: endpoint.id };
      deps.records.write((tx) => appendAudit(tx, { ...entry, details: { role } })).catch(() => {});
    }
    assertRole(role, required);
  }
  if (found.suspended && !isSafe(request)) {
    throw new ApiError("account_suspended", "The account is suspended: you can view it, but not change it.");
  }
  return {
    accountNo,
    accountId,
    plan: deps.plans.of(found.planId),
    actor,
    via: "dashboard",
    userId: session.userId,
    sessionId: session.id,
    signedInBy: session.signedInBy,
    role,
  };
}

/** Also from someone who turns it on without having used it, so that nobody locks themselves out. */
export const ssoRequired = (): ApiError =>
  new ApiError("sso_required", "Sign in with single sign-on first: this account doesn't accept other ways to sign in.");

function accountIdOf({ streams, downloads, binary }: Endpoint, { headers, url }: Request): string {
  const isWithoutHeaders = (streams ?? downloads ?? binary) !== undefined;
  const named = headers.get(ACCOUNT_HEADER) ?? (isWithoutHeaders ? new URL(url).searchParams.get("account") : null);
  return named ?? "";
}

const ofAdmins: readonly (Scope | null)[] = ["domains:write", "webhooks:read", "webhooks:write", "tokens:write"];

/** Viewers read; members also change links, and admins everything else. */
function roleFor(scope: Scope | null): Role {
  if (ofAdmins.includes(scope)) return "admin";
  return scope === "links:write" ? "member" : "viewer";
}
