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
    const missing = scopesOf(endpoint).find((scope) => !found.scopes.includes(scope));
    if (missing) throw missingScope(missing, found.scopes);
    return found.caller;
  };
};

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
  ({ rateWindows, clock }: TokenAuthorizationOptions) =>
  async (found: AuthenticatedToken, context: RequestContext): Promise<void> => {
    const { rateLimit, tokenId } = found;
    if (rateLimit !== null) {
      const take = async (cost: number): Promise<void> => {
        const decision = await rateWindows.take(tokenId, rateLimit, cost);
        Object.assign(context.headers, rateHeaders(decision, clock()));
        if (!decision.allowed) throw rateLimited(decision);
      };
      await take(1);
      // What costs more than the limit needs a whole window, rather than being refused forever.
      context.charge = (cost) => take(Math.min(cost, rateLimit - 1));
    }
    if (found.suspended) throw new ApiError("account_suspended", "The account is suspended. Contact the operator.");
    if (!found.caller.plan.api_access) {
      throw new ApiError("plan_limit", `The plan "${found.caller.plan.id}" doesn't include API access.`, {
        feature: "api_access",
        limit: 0,
      });
    }
  };

export const missingScope = (required: Scope, held: readonly Scope[]): ApiError =>
  new ApiError("insufficient_scope", `The token needs the ${required} scope.`, {
    required_scope: required,
    token_scopes: [...held],
  }).withHeader("www-authenticate", `Bearer error="insufficient_scope", scope="${required}"`);
