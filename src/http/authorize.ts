import { type Endpoint, scopesOf } from "#contract/endpoint.ts";
import type { Scope } from "#contract/scopes.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { rateHeaders, rateLimited } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";

/** The caller that a token identifies. */
export interface AuthenticatedToken {
  readonly caller: Caller;
  readonly tokenId: string;
  /** Whose limit its requests count against: a token shares it with those that it creates. */
  readonly countedAs: string;
  readonly scopes: readonly Scope[];
  readonly suspended: boolean;
  /** Requests per minute; `null` means unlimited. */
  readonly rateLimit: number | null;
}

/** Steps 4 to 7 of the processing order: identifies the caller, or rejects the request. */
export type Authorize<C> = (endpoint: Endpoint, request: Request, context: RequestContext) => Promise<C>;

export interface TokenAuthorizationOptions {
  readonly authenticate: (authorization: string | null, clientAddress: string) => Promise<AuthenticatedToken>;
  readonly rateWindows: RateWindows;
  readonly clock: Clock;
}

/** The rate limit comes before the scope, so probing for scopes uses up quota. */
export const authorizeByToken = (options: TokenAuthorizationOptions): Authorize<Caller> => {
  const [identify, admit] = [identifyToken(options), admitToken(options)];
  return async (endpoint, request, context) => {
    const found = await identify(request, context);
    await admit(found, context);
    assertScopes(endpoint, found);
    return found.caller;
  };
};

/** For requests made for one that was admitted already: only what they cost beyond one request is counted. */
export const authorizeAdmitted = (options: TokenAuthorizationOptions): Authorize<Caller> => {
  const identify = identifyToken(options);
  return async (endpoint, request, context) => {
    const found = await identify(request, context);
    allowCharges(options, found, context);
    assertScopes(endpoint, found);
    return found.caller;
  };
};

function assertScopes(endpoint: Endpoint, { scopes }: AuthenticatedToken): void {
  const missing = scopesOf(endpoint).find((scope) => !scopes.includes(scope));
  if (missing) throw missingScope(missing, scopes);
}

/** Step 4: whose token it is. */
export const identifyToken =
  ({ authenticate }: TokenAuthorizationOptions) =>
  async (request: Request, context: RequestContext): Promise<AuthenticatedToken> => {
    const found = await authenticate(request.headers.get("authorization"), context.clientAddress);
    context.accountId = found.caller.accountId;
    context.tokenId = found.tokenId;
    return found;
  };

/** Steps 5 and 6: counts the request against the token's limit, and checks that the account may use the API. */
export const admitToken =
  (options: TokenAuthorizationOptions) =>
  async (found: AuthenticatedToken, context: RequestContext): Promise<void> => {
    await takeRequests(options, found, context, 1);
    allowCharges(options, found, context);
    if (found.suspended) throw new ApiError("account_suspended", "The account is suspended. Contact the operator.");
    if (!found.caller.plan.api_access) {
      throw new ApiError("plan_limit", `The plan "${found.caller.plan.id}" doesn't include API access.`, {
        feature: "api_access",
        limit: 0,
      });
    }
  };

function allowCharges(options: TokenAuthorizationOptions, found: AuthenticatedToken, context: RequestContext): void {
  const { rateLimit } = found;
  if (rateLimit === null) return;
  // What costs more than the limit needs a whole window, rather than being refused forever.
  context.charge = (cost) => takeRequests(options, found, context, Math.min(cost, rateLimit - 1));
}

async function takeRequests(
  { rateWindows, clock }: TokenAuthorizationOptions,
  { rateLimit, countedAs }: AuthenticatedToken,
  context: RequestContext,
  cost: number,
): Promise<void> {
  if (rateLimit === null) return;
  const decision = await rateWindows.take(countedAs, rateLimit, cost);
  Object.assign(context.headers, rateHeaders(decision, clock()));
  if (!decision.allowed) throw rateLimited(decision);
}

export const missingScope = (required: Scope, held: readonly Scope[], purpose = ""): ApiError =>
  new ApiError("insufficient_scope", `The token needs the ${required} scope${purpose}.`, {
    required_scope: required,
    token_scopes: [...held],
  }).withHeader("www-authenticate", `Bearer error="insufficient_scope", scope="${required}"`);
