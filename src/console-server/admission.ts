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
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { networkOf } from "#kernel/network-address.ts";
import { findMembership } from "#members/memberships.ts";
import { assertRole } from "#members/roles.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { isFreshSudo } from "#sign-in/session-lifecycle.ts";
import type { SignedInVisitor, Visitor } from "#sign-in/visitor.ts";

/** Someone at work in one of their accounts. */
export interface ConsoleCaller extends Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly role: Role;
}

/** Who sent a request, and in which account, where the operation is about one. */
export interface Admitted {
  readonly visitor: Visitor;
  readonly member: ConsoleCaller | null;
}

export interface AdmissionDeps {
  readonly readVisitor: (request: Request, context: RequestContext) => Promise<Visitor>;
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Counts requests per session, or per network where there is none. */
  readonly rateWindows: RateWindows;
}

export const ACCOUNT_HEADER = "kurz-account";
const REQUESTS_PER_MINUTE = 600;

/** By session: same site, then who it is, then what they may do in the account that is on their screen. */
export const admitToConsole =
  (deps: AdmissionDeps): Authorize<Admitted> =>
  async (endpoint, request, context) => {
    assertSameSite(request, deps.baseUrl);
    const visitor = await deps.readVisitor(request, context);
    if (endpoint.open) {
      takeRate(deps, visitor.session ? `open ${visitor.session.id}` : networkOf(visitor.clientAddress));
      return { visitor, member: null };
    }
    const signedIn = assertSignedIn(visitor);
    takeRate(deps, signedIn.session.id);
    const member = isOfAccount(endpoint) ? await admitMember(deps, endpoint, request, signedIn) : null;
    if (member) context.accountId = member.accountId;
    // What says nothing about it is as good as dangerous.
    if (endpoint.sudo?.required !== false && !isFreshSudo(signedIn.session.sudoUntil, deps.clock())) {
      throw new ApiError("sudo_required", "Give your password or use a passkey again to go on.");
    }
    return { visitor, member };
  };

export function assertSignedIn(visitor: Visitor): SignedInVisitor {
  const { session } = visitor;
  if (!session) throw new ApiError("not_signed_in", "Sign in first.");
  return { ...visitor, session };
}

/** The API's own operations have a scope in place of a role. */
const isOfAccount = ({ role, path }: Endpoint): boolean => role !== undefined || !path.startsWith("/console/");

function takeRate({ rateWindows }: AdmissionDeps, key: string): void {
  const decision = rateWindows.take(key, REQUESTS_PER_MINUTE);
  if (!decision.allowed) throw rateLimited(decision);
}

async function admitMember(
  deps: AdmissionDeps,
  endpoint: Endpoint,
  request: Request,
  { session }: SignedInVisitor,
): Promise<ConsoleCaller> {
  const accountId = accountIdOf(endpoint, request);
  const found = await findMembership(deps.records.read, session.userId, accountId);
  if (!found) throw notFound();
  const { accountNo, role } = found;
  const actor = `user:${session.userId}`;
  const required = endpoint.role ?? roleFor(endpoint.scope);
  if (!isAtLeast(role, required)) {
    // Once a minute is enough to be seen; a line for each would let anyone fill the disk.
    if (deps.rateWindows.take(`${actor} ${accountId} ${endpoint.id}`, 1).allowed) {
      const entry = { at: deps.clock(), accountNo, actor, action: "access.refused", subject: endpoint.id };
      deps.records.write((tx) => appendAudit(tx, { ...entry, details: { role } })).catch(() => {});
    }
    assertRole(role, required);
  }
  if (found.suspended && !isSafe(request)) {
    throw new ApiError("account_suspended", "The account is suspended: it can be looked at, but not changed.");
  }
  return {
    accountNo,
    accountId,
    plan: deps.plans.of(found.planId),
    actor,
    via: "dashboard",
    userId: session.userId,
    sessionId: session.id,
    role,
  };
}

function accountIdOf({ streams }: Endpoint, { headers, url }: Request): string {
  const named = headers.get(ACCOUNT_HEADER) ?? (streams ? new URL(url).searchParams.get("account") : null);
  return named ?? "";
}

/** Viewers read; members also change links. */
const roleFor = (scope: Scope | null): Role => (scope === "links:write" ? "member" : "viewer");
